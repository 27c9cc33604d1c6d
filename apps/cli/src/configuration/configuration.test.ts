// celadon.yaml: its place, its settings, the line of each, and its errors.

import { describe, expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const HEAD = "apiVersion: celadon.dev/v1\nkind: Configuration\n";
const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations: [{expression: "object.spec.replicas <= 5"}]
`;
const WIDGET = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n";
const FILES = {
  "policies/few.yaml": POLICY,
  "objects/widget.yaml": WIDGET,
  "objects/old/widget.yaml": WIDGET.replace("Widget", "Gadget"),
  "generated/broken.yaml": "a: [\n",
};
const withConfig = (text: string, more: Record<string, string> = {}) => ({
  files: { ...FILES, "celadon.yaml": HEAD + text, ...more },
});

describe("its settings", () => {
  test("paths, for commands that name none", async () => {
    const setting = withConfig("paths: [policies, objects]\n");
    const { code, stdout } = await runLine(["check"], setting);
    expect(code).toBe(0);
    expect(stdout).toContain("3 objects");
    expect((await runLine(["check", "policies"], setting)).stdout).toContain("1 object,");
    expect((await runLine(["lint"], setting)).stdout).toContain("policies/few.yaml");
  });

  test("without it nothing is read", async () => {
    const setting = withConfig("paths: [policies]\n");
    expect((await runLine(["check", "--config", "none"], setting)).stderr).toContain("nothing to read");
  });

  test("exclusions, relative to its directory", async () => {
    expect((await runLine(["check", "."], { files: FILES })).code).toBe(2);
    const { code, stderr } = await runLine(["check", "."], withConfig("exclude: [generated/]\n"));
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: ".: left out 1 file or directory by --exclude or ignore files\n",
    });
  });

  test("versions: all for lint, the newest for others", async () => {
    const { stdout } = await runLine(["lint", "policies", "-o", "json"], withConfig('kubeVersion: "1.35..1.36"\n'));
    expect(JSON.parse(stdout).kubeVersions).toEqual(["1.35", "1.36"]);
    const old = await runLine(["check", "policies"], withConfig('kubeVersion: "1.35..1.36"\n'));
    expect(old.code).toBe(0);
    const flag = await runLine(
      ["lint", "policies", "-o", "json", "--kube-version", "1.34"],
      withConfig('kubeVersion: "1.36"\n'),
    );
    expect(JSON.parse(flag.stdout).kubeVersions).toEqual(["1.34"]);
  });

  test("disabled codes, for all files or for some", async () => {
    const codes = async (text: string): Promise<readonly string[]> => {
      const { stdout } = await runLine(["lint", "policies", "-o", "json"], withConfig(text));
      return (JSON.parse(stdout) as { problems: { code: string }[] }).problems.map(({ code }) => code);
    };
    const all = await codes("");
    expect(all.length).toBeGreaterThan(0);
    const [first] = all;
    expect(await codes(`disable: [${first}]\n`)).toEqual(all.filter((code) => code !== first));
    expect(await codes(`overrides: [{paths: [policies/], disable: [${first}]}]\n`)).not.toContain(first);
    expect(await codes(`overrides: [{paths: [objects/], disable: [${first}]}]\n`)).toEqual(all);
  });

  test("unknown kinds, for all files or for some", async () => {
    const check = async (text: string, ...flags: string[]) => {
      const { code, stdout } = await runLine(["check", "objects", ...flags, "-o", "json"], withConfig(text));
      const { objects } = JSON.parse(stdout) as {
        objects: { object: { kind: string }; allowed: boolean; problems: object[] }[];
      };
      return [code, ...objects.map(({ object, allowed, problems }) => `${object.kind} ${allowed} ${problems.length}`)];
    };
    expect(await check("")).toEqual([0, "Gadget true 1", "Widget true 1"]);
    expect(await check("unknownKinds: error\n")).toEqual([1, "Gadget false 1", "Widget false 1"]);
    expect(await check("unknownKinds: error\n", "--unknown-kinds", "ignore")).toEqual([
      0,
      "Gadget true 0",
      "Widget true 0",
    ]);
    const override = "overrides: [{paths: [objects/old/], unknownKinds: ignore}]\n";
    expect(await check(override)).toEqual([0, "Gadget true 0", "Widget true 1"]);
    expect(await check(`unknownKinds: error\n${override}`)).toEqual([1, "Gadget true 0", "Widget false 1"]);
    const error = "overrides: [{paths: ['*'], unknownKinds: ignore}, {paths: [objects/old/], unknownKinds: error}]\n";
    expect(await check(error)).toEqual([1, "Gadget false 1", "Widget true 0"]);
  });
});

test("it is found upwards, as far as the repository goes", async () => {
  const above = { "../celadon.yaml": `${HEAD}paths: [virtual/policies]\nexclude: [virtual/generated]\n` };
  const found = await runLine(["check"], { files: { ...FILES, ...above } });
  expect(found.stdout).toContain("ValidatingAdmissionPolicy few  policies/few.yaml");
  expect((await runLine(["check", "."], { files: { ...FILES, ...above } })).code).toBe(0);
  const inRepository = { files: { ...FILES, ...above, ".git/HEAD": "" } };
  expect((await runLine(["check"], inRepository)).stderr).toContain("nothing to read");
});

// biome-ignore format: one mistake per line
const MISTAKES = [
  { text: "exlude: [a]\n",                                says: 'celadon.yaml:3:1: unknown field "exlude"\n  3 | exlude: [a]\n    | ^\n  help: did you mean "exclude"?' },
  { text: "paths: policies\n",                            says: "celadon.yaml:3:8: paths must be a list, not a text" },
  { text: "unknownKinds: warnn\n",                        says: 'unknownKinds is "warnn", not one of error, warn, ignore' },
  { text: "kubeVersion: 1.3\n",                           says: "kubeVersion must be a text, not a number" },
  { text: 'kubeVersion: "1.99"\n',                        says: "celadon.yaml:3:14: kubeVersion 1.99 is not supported" },
  { text: "disable: [no_such_code]\n",                    says: 'celadon.yaml:3:11: unknown code "no_such_code"' },
  { text: "overrides: [{disable: [a]}]\n",                says: 'needs the field "paths"' },
  { text: "overrides: [{paths: [a], disable: [nope]}]\n", says: 'celadon.yaml:3:36: unknown code "nope"' },
  { text: "paths: [\n",                                   says: "celadon.yaml:3:8: missing closing ]" },
];
test.each(MISTAKES)("a mistake: $text", async ({ text, says }) => {
  const { code, stdout, stderr } = await runLine(["lint", "policies"], withConfig(text));
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(says);
});

// biome-ignore format: one file per line
test.each([
  "paths: [policies]\n",
  "apiVersion: celadon.dev/v1\npaths: [policies]\n",
  "kind: Configuration\npaths: [policies]\n",
  "apiVersion: celadon.dev/v1\nkind: Config\n",
  "",
])("a file that begins otherwise: %j", async (text) => {
  const { code, stderr } = await runLine(["config"], { files: { ...FILES, "celadon.yaml": text } });
  expect(code).toBe(2);
  expect(stderr).toContain('it begins with "apiVersion: celadon.dev/v1" and "kind: Configuration"');
});

describe("celadon config", () => {
  const setting = withConfig(
    'paths: [policies]\nkubeVersion: "1.36"\noverrides:\n- paths: [objects/]\n  unknownKinds: ignore\n',
  );

  test("shows the settings in force, and their places", async () => {
    const { code, stdout } = await runLine(["config", "objects/widget.yaml"], setting);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `celadon.yaml
paths                                policies  celadon.yaml:3:8
exclude                              none      default
gitignore                            false     default
strictFiles                          false     default
kubeVersion                          1.36      celadon.yaml:4:14
disable                              none      default
unknownKinds                         warn      default
baseline                             -         default
unknownKinds of objects/widget.yaml  ignore    celadon.yaml:7:17
`,
    });
  });

  test("or that none exists", async () => {
    const { code, stdout } = await runLine(["config"], { files: FILES });
    expect(code).toBe(0);
    expect(stdout).toContain("no celadon.yaml: the defaults are in force\n");
  });
});
