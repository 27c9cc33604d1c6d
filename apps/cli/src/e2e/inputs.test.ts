// Wrong inputs for every command: a clear answer, code 2, nothing on standard output.

import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { celadon, expectGoldenRun, folder, shell } from "./run.testing.ts";

const POD = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n";
const DEEP = 20_000;

/** Every file is broken in a way of its own; one run tells of all. */
const BROKEN: Readonly<Record<string, string | Uint8Array>> = {
  "a-empty.yaml": "",
  "b-comments.yaml": "# nothing\n---\n",
  "c-flow.yaml": "apiVersion: v1\nkind: Pod\nmetadata:\n  labels: {a: b\nspec: {}\n",
  "d-tab.yaml": "apiVersion: v1\nkind: Pod\nmetadata:\n\tname: a\n",
  "e-twice.yaml": `${POD}  name: b\n`,
  "f-binary.yaml": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13),
  "g-latin1.yaml": Uint8Array.from([...`${POD}  # caf\u00e9\n`].map((text) => text.charCodeAt(0))),
  "h-deep.yaml": `a: ${"[".repeat(DEEP)}${"]".repeat(DEEP)}\n`,
  "i-deep.json": `{"a":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`,
  "j-cut.json": '{"apiVersion": "v1", "kind": "Pod",\n',
  "k-text.yaml": "just words\n",
  "l-no-kind.yaml": "apiVersion: v1\nmetadata: {name: a}\n",
  "m-helm.yaml": "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n",
  "n-line.yaml": `apiVersion: v1\nkind: Pod\nmetadata: {name: "${"x".repeat(1_000_000)}\n`,
  "o-crlf.yaml": "apiVersion: v1\r\nkind: Pod\r\nmetadata:\r\n  name: a\r\n  name: b\r\n",
  "p-bom.yaml": "\ufeffapiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  name: b\n",
};

test("all broken files are reported, each with its place", async () => {
  const cwd = folder({ ...BROKEN, "none/readme.txt": "" });
  const argv = [...Object.keys(BROKEN), "missing.yaml", "none", "*.nope"].flatMap((path) => ["-f", path]);
  expectGoldenRun("inputs/broken.txt", await celadon(["check", ...argv, "-o", "json=out.json"], { cwd }));
  expect(readdirSync(cwd)).not.toContain("out.json");
});

test("what looks odd and is fine", async () => {
  const utf16 = Buffer.from("\ufeffapiVersion: v1\nkind: ConfigMap\nmetadata: {name: utf16}\n", "utf16le");
  const cwd = folder({
    "bom.yaml": "\ufeffapiVersion: v1\nkind: ConfigMap\nmetadata: {name: bom}\n",
    "crlf.yaml": "apiVersion: v1\r\nkind: ConfigMap\r\nmetadata:\r\n  name: crlf\r\ndata:\r\n  a: |\r\n    x\r\n",
    "utf16.yaml": utf16,
    "line.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: line}\ndata: {a: "${"x".repeat(1_000_000)}"}\n`,
    "unknown.yaml": "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: default}\n",
    "namespace.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n",
  });
  expectGoldenRun("inputs/odd.txt", await celadon(["check", "-f", "."], { cwd, env: { LANG: "C", LC_ALL: "C" } }));
});

test("paths without -f, as a shell makes them of a glob, now and in git", async () => {
  const map = (name: string, data: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\ndata: {a: ${data}}\n`;
  const cwd = folder({ "a.yaml": map("a", "x"), "b.yaml": map("b", "x") });
  const said = "git init -q && git add . && git -c user.name=t -c user.email=t@example.com commit -q -m one";
  expect((await shell(said, { cwd })).code).toBe(0);
  const { code, stdout } = await shell("celadon check --old-git HEAD -f *.yaml", { cwd });
  expect(code).toBe(0);
  expect(stdout.match(/ConfigMap .* UPDATE {2}[ab]\.yaml/g)).toHaveLength(2);
});

/** The arguments that give a command a file. */
// biome-ignore format: one verb per line
const verbs = [
  { name: "check",   argv: (path: string) => ["check", "-f", path] },
  { name: "explain", argv: (path: string) => ["explain", "-f", path] },
  { name: "lint",    argv: (path: string) => ["lint", "-f", path] },
  { name: "cost",    argv: (path: string) => ["cost", "-f", path] },
  { name: "fuzz",    argv: (path: string) => ["fuzz", "-f", path] },
  { name: "prove",   argv: (path: string) => ["prove", "-f", path] },
  { name: "autogen", argv: (path: string) => ["autogen", "-f", path] },
  { name: "test",    argv: (path: string) => ["test", path] },
  { name: "diff",    argv: (path: string) => ["diff", "examples/trusted-images/policy.yaml", path, "-f", "examples/trusted-images/pod.yaml"] },
  { name: "eval",    argv: (path: string) => ["eval", "1", "--object", path] },
];
describe.each(verbs)("$name", ({ argv }) => {
  test.concurrent("a file that is not there", async ({ expect }) => {
    const { code, stdout, stderr } = await celadon(argv("missing.yaml"));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/missing\.yaml\b.*no such file or directory\n/);
    expect(stderr).not.toMatch(/ENOENT|at .*\.js:\d/);
  });

  test.concurrent("a file with a mistake", async ({ expect }) => {
    const { code, stdout, stderr } = await celadon(argv("-"), { stdin: BROKEN["c-flow.yaml"]! });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^ *4 \| +labels: \{a: b\n *\| +\^/m);
  });

  test.concurrent("no input", async ({ expect }) => {
    const { code, stdout, stderr } = await celadon(argv("-"), { stdin: "" });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^(celadon: )?standard input: (is empty|.*no input)/m);
  });
});

/** A filter: it passes text on unchanged if it cannot lay it out. */
test("fmt", async () => {
  const missing = await celadon(["fmt", "missing.yaml"]);
  expect(missing).toMatchObject({ code: 2, stdout: "" });
  expect(missing.stderr).toContain("missing.yaml: no such file or directory");
  const broken = await celadon(["fmt", "-"], { stdin: BROKEN["c-flow.yaml"]! });
  expect(broken).toMatchObject({ code: 2, stdout: BROKEN["c-flow.yaml"] });
  expect(broken.stderr).toMatch(/^ *4 \| +labels: \{a: b\n *\| +\^/m);
});

const SYNTAX = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: syntax}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  validations:
  - expression: |
      object.spec.containers.all(c,
        c.image.startsWith("日本😀") &&
        "é😀" + ])
`;

test.each(["check", "lint"])("%s: a mistake inside of a block, shown at its character", async (verb) => {
  const argv = [verb, "-f", "-", "-o", "json"];
  const { code, stdout } = await celadon(argv, { stdin: SYNTAX });
  expect(code).toBe(1);
  expect(stdout).toContain('"line": 11');
  expect(stdout).toMatch(/"line": 11,\s*"column": 17\b/);
});

test("a definition over its budget", async () => {
  const cwd = folder({
    "crd.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              names:
                type: array
                items: {type: string}
            x-kubernetes-validations:
            - rule: self.names.all(a, self.names.exists_one(b, a == b))
`,
  });
  expectGoldenRun("inputs/over-budget.txt", await celadon(["check", "-f", "crd.yaml"], { cwd }));
});
