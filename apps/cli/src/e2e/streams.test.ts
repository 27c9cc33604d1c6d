// Large streams, signals in the middle of work, terminals and colours.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIN, bundle, celadon, folder, installed, program } from "./run.testing.ts";

const document = (i: number): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: c${i}, namespace: shop, labels: {app: web, tier: back}}
data:
  key: "${"text that makes a stream long; ".repeat(30)}"
  other: |
    line one
    line two
`;

function stream(megabytes: number): string {
  const parts: string[] = [];
  for (let size = 0, i = 0; size < megabytes * 1e6; i++) size += parts[parts.push(document(i)) - 1]!.length + 4;
  return parts.join("---\n");
}

/** Writes down how much memory there was at most, in KiB. */
const WATCH = `import { writeFileSync } from "node:fs";
process.on("exit", () => writeFileSync("rss", String(process.resourceUsage().maxRSS)));`;

test("a stream of 20 MB, within a few times its size in memory", async () => {
  const cwd = folder({ "s.yaml": stream(20), "watch.mjs": WATCH });
  const env = { NODE_OPTIONS: `--import ${join(cwd, "watch.mjs")} --max-old-space-size=150` };
  const ran = await installed(["check", "-f", "s.yaml", "-o", "junit=out.xml"], { cwd, env });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(Number(readFileSync(join(cwd, "rss"), "utf8"))).toBeLessThan(450 * 1024);
});

test("a mistake at the end of a stream", async () => {
  const text = stream(5);
  const { code, stdout, stderr } = await celadon(["check", "-f", "-"], { stdin: `${text}---\nkind: [\n` });
  expect(code).toBe(2);
  // The objects before it are judged.
  expect(stdout).toMatch(/^✓ ConfigMap shop\/c0 /);
  expect(stderr).toContain(`-:${text.split("\n").length + 1}:`);
});

test("Ctrl-C in the middle of work: 130, and no part of a report", async () => {
  const cwd = folder({
    "policy.yaml": `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: slow}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations:
  - expression: lists.range(1000).all(a, lists.range(40).all(b, a + b >= 0))
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: slow}
spec: {policyName: slow, validationActions: [Deny]}
`,
  });
  // Read within the second, and evaluated for many.
  const ran = await installed(["check", "-f", "policy.yaml", "-f", "-", "-o", "json=out.json"], {
    cwd,
    stdin: stream(2),
    signal: { name: "SIGINT", after: 1000 },
  });
  expect(ran).toMatchObject({ code: 130, stdout: "" });
  expect(readdirSync(cwd).sort()).toEqual(["policy.yaml"]);
});

test("a report that cannot be written leaves the old file", async () => {
  const cwd = folder({ "a.yaml": document(0), "taken/x": "", "old.json": "old" });
  const argv = ["check", "-f", "a.yaml", "-o", "json=old.json", "-o", "sarif=taken"];
  const { code, stderr } = await celadon(argv, { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^celadon: cannot write "taken": /m);
  expect(readdirSync(cwd).sort()).toEqual(["a.yaml", "old.json", "taken"]);
});

// script(1) runs a command on a terminal of its own.
const hasScript = existsSync("/usr/bin/script");
// biome-ignore format: one case per line
const colours: readonly { name: string; flags: string; env: Record<string, string>; terminal: boolean; want: boolean }[] = [
  { name: "a terminal",               flags: "",               env: {},                terminal: true,  want: true },
  { name: "a terminal with NO_COLOR", flags: "",               env: { NO_COLOR: "1" }, terminal: true,  want: false },
  { name: "--color never",            flags: "--color never",  env: {},                terminal: true,  want: false },
  { name: "a pipe",                   flags: "",               env: {},                terminal: false, want: false },
  { name: "--color always",           flags: "--color always", env: { NO_COLOR: "1" }, terminal: false, want: true },
];
test.skipIf(!hasScript).each(colours)("colours: $name", async ({ flags, env, terminal, want }) => {
  await bundle();
  const cwd = folder({ "a.yaml": document(0) });
  const line = `"${process.execPath}" "${BIN}" check -f a.yaml ${flags}`;
  const argv = terminal ? ["-qec", line, "/dev/null"] : [];
  const ran = await (terminal
    ? program("/usr/bin/script", argv, { cwd, env: { TERM: "xterm", ...env } })
    : program("bash", ["-c", line], { cwd, env }));
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain("shop/c0");
  expect(ran.stdout.includes("\u001b[")).toBe(want);
});

test("Ctrl-C in the middle of work without a pause", async () => {
  const list = `[${Array.from({ length: 100 }, (_, i) => i).join(",")}]`;
  const expr = `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`;
  // Minutes of evaluation, one expression after the other: only the system can end it.
  const cwd = folder({ "batch.jsonl": `${JSON.stringify({ id: "1", expr })}\n`.repeat(2000) });
  const ran = await installed(["eval", "--batch", "batch.jsonl"], { cwd, signal: { name: "SIGINT", after: "\n" } });
  expect(ran.code).toBe(130);
  expect(ran.stdout.split("\n").length).toBeLessThan(2000);
});
