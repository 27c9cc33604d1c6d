// `--changed-only` leaves out unchanged objects, and none that may have another answer now.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runLine, testIo } from "../io.testing.ts";
import { nodeFiles } from "../io-node.ts";
import type { Io } from "../program/io.ts";
import { run } from "../run.ts";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [services]}]
  validations: [{expression: "object.metadata.labels['team'] != params.data.not"}]
`;
const BINDING = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few}
spec:
  policyName: few
  paramRef: {name: params, namespace: default, parameterNotFoundAction: Deny}
  validationActions: [Deny]
`;
const OTHER = POLICY.replace("name: few", "name: other").replace("['team']", "['a']");
const config = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\ndata: {not: ${value}}\n`;
const service = (name: string, team: string): string =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}, labels: {team: ${team}}}\nspec: {ports: [{port: 80}]}\n`;

const hasGit = spawnSync("git", ["--version"]).status === 0;

describe.skipIf(!hasGit)("in a repository", () => {
  let root = "";
  const git = (...args: string[]): void => {
    const names = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    execFileSync("git", [...names, ...args], { cwd: root, stdio: "ignore" });
  };
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  /** Runs with some files changed; the tree is clean before and after. */
  const celadon = async (line: string, changes: Readonly<Record<string, string>>) => {
    write(changes);
    const io = testIo();
    const atRoot: Io = {
      ...io,
      cwd: root,
      files: nodeFiles(root),
      run: async (program, args, limit) => {
        const { status, stdout, stderr } = spawnSync(program, [...args], { cwd: root, maxBuffer: limit });
        return { code: status ?? 1, stdout, stderr: String(stderr) };
      },
    };
    const code = await run(line.split(" "), atRoot);
    git("checkout", "-q", ".");
    git("clean", "-fdq");
    return { code, stdout: io.stdout, stderr: io.stderr };
  };
  const checked = async (changes: Readonly<Record<string, string>>, flags = "") => {
    const { code, stdout } = await celadon(`check . --changed-only HEAD -o json${flags}`, changes);
    const { objects } = JSON.parse(stdout) as { objects: { object: { kind: string; name: string } }[] };
    return [code, ...objects.map(({ object }) => `${object.kind}/${object.name}`)];
  };

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "celadon-changed-"));
    git("init", "-q", "-b", "main");
    write({
      "p/policy.yaml": POLICY,
      "p/binding.yaml": BINDING,
      "p/other.yaml": OTHER,
      "p/params.yaml": config("params", "x"),
      "o/config.yaml": config("plain", "x"),
      // One that is denied, and stays so.
      "o/a.yaml": service("a", "x"),
      "o/b.yaml": service("b", "b"),
    });
    git("add", ".");
    git("commit", "-q", "-m", "one");
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const ALL = 7;
  test("nothing differs", async () => {
    const { code, stdout, stderr } = await celadon("check . --changed-only HEAD", {});
    expect(code).toBe(0);
    expect(stdout).toBe("0 objects, 0 allowed, 0 denied\n");
    expect(stderr).toBe("--changed-only: 7 of 7 resources are as in HEAD, and not reported\n");
  });

  test("an object differs, is new, or has only moved", async () => {
    expect(await checked({ "o/b.yaml": service("b", "c") })).toEqual([0, "Service/b"]);
    expect(await checked({ "o/b.yaml": `# moved\n\n${service("b", "b")}` })).toEqual([0]);
    expect(await checked({ "o/new.yaml": service("new", "x") })).toEqual([1, "Service/new"]);
    expect(await checked({ "o/config.yaml": config("plain", "z") })).toEqual([0, "ConfigMap/plain"]);
  });

  test("what objects are checked against differs", async () => {
    expect(await checked({ "p/policy.yaml": POLICY.replace("!=", "==") })).toHaveLength(1 + ALL);
    expect(await checked({ "p/params.yaml": config("params", "y") })).toHaveLength(1 + ALL);
    expect(await checked({ "p/binding.yaml": "" })).toHaveLength(ALL);
    expect(await checked({ "p/ns.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n" })).toHaveLength(
      2 + ALL,
    );
  });

  test("suppressions in unchanged objects are not unused", async () => {
    const text = service("a", "x").replace("kind", "# celadon: ignore policy/few old\nkind");
    expect((await celadon("check . --changed-only HEAD", { "o/a.yaml": text })).stdout).not.toContain("nothing here");
  });

  test("lint reports a policy whose binding differs, and not others", async () => {
    const linted = async (changes: Readonly<Record<string, string>>) => {
      const { stdout } = await celadon("lint p --changed-only HEAD -o json", changes);
      const { problems } = JSON.parse(stdout) as { problems: { resource: { name: string } }[] };
      return [...new Set(problems.map(({ resource }) => resource.name))];
    };
    expect(await linted({})).toEqual([]);
    expect(await linted({ "p/binding.yaml": BINDING.replace("Deny]", "Audit]") })).toEqual(["few"]);
    expect(await linted({ "p/other.yaml": OTHER.replace("'a'", "'b'") })).toEqual(["other"]);
  });
});

// biome-ignore format: one case per line
const MISTAKES = [
  { line: "check a.yaml --changed-only HEAD --write-baseline", says: "--changed-only and --write-baseline cannot be used together" },
  { line: "check -f - --changed-only HEAD",                    says: 'standard input has no revision "HEAD"' },
  { line: "check a.yaml --changed-only HEAD",                  says: "git is not installed, and revisions are read with it" },
];
test.each(MISTAKES)("$line", async ({ line, says }) => {
  const { code, stderr } = await runLine(line.split(" "), { files: { "a.yaml": service("a", "b") }, stdin: BINDING });
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});
