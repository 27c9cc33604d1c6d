// `celadon test`: the examples, every kind of failure, its output and exit code.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { celadon, expectGoldenRun, folder, installed, ROOT } from "./run.testing.ts";

const example = (name: string): string => readFileSync(join(ROOT, "examples/trusted-images", name), "utf8");
const trusted = (change: (suite: string) => string = (suite) => suite): Readonly<Record<string, string>> => ({
  "policy.yaml": example("policy.yaml"),
  "pod.yaml": example("pod.yaml"),
  "tests.yaml": change(example("tests.yaml")),
});

// biome-ignore format: one golden per line
const goldens: { name: string; argv: string[]; files?: Readonly<Record<string, string>> }[] = [
  { name: "examples",          argv: ["examples"] },
  { name: "examples-table",    argv: ["./examples/...", "-o", "table"] },
  { name: "failures",          argv: [], files: trusted((suite) => suite.replace("expect: unmatched", "expect: allow").replace("every container needs", "each container needs").replace("verdict: error", "verdict: deny").replace("cost: 100", "cost: 10")) },
  { name: "slips",             argv: [], files: trusted((suite) => suite.replace("  - policy.yaml", "  - policies.yaml").replace("object: checkout\n    expect", "object: chekout\n    expect")) },
  { name: "unknown-words",     argv: [], files: trusted((suite) => suite.replace("expect: unmatched", "expects: unmatch").replace("name: containers", "nam: containers")) },
  { name: "bad-policy",        argv: [], files: { ...trusted(), "policy.yaml": example("policy.yaml").replace("object.spec.containers.all", "object.spec.containers.al") } },
  { name: "broken-yaml",       argv: ["tests.yaml"], files: trusted((suite) => suite.replace("tests:", "tests: [")) },
  { name: "no-suites",         argv: [], files: { "policy.yaml": example("policy.yaml") } },
  { name: "missing-path",      argv: ["nowhere"], files: trusted() },
  { name: "run-none",          argv: ["--run", "nothing"], files: trusted() },
  { name: "fail-fast",         argv: ["--fail-fast"], files: trusted((suite) => suite.replace("expect: unmatched", "expect: allow")) },
];

describe("goldens", () => {
  test.each(goldens)("$name", async ({ name, argv, files }) => {
    const ran = await celadon(["test", ...argv], files === undefined ? {} : { cwd: folder(files) });
    expectGoldenRun(`test/${name}.txt`, ran);
  });

  test.each(["json", "yaml", "junit", "sarif", "github", "policyreport"])("-o %s", async (format) => {
    const files = trusted((suite) => suite.replace("message: images must", "message: images should"));
    const ran = await celadon(["test", "--run", "refused in|nobody", "-o", format], { cwd: folder(files) });
    const timeless = ran.stdout
      .replaceAll(/(milliseconds"?: )[\d.e-]+/g, "$10")
      .replaceAll(/(time(?:stamp)?=")[^"]*"/g, '$10"')
      .replaceAll(/(timestamp:\n? *(?:seconds|nanos)?:? ?)\d+/g, "$10");
    expectGoldenRun(`test/format-${format}.txt`, { ...ran, stdout: timeless });
  });
});

test("several formats at once, files whole", async () => {
  const cwd = folder(trusted());
  const ran = await celadon(["test", "-o", "text", "-o", "junit=out.xml", "-o", "json=out.json"], { cwd });
  expect([ran.code, ran.stdout]).toEqual([
    0,
    "ok    trusted-images  tests.yaml  8 cases\n\nPASS  8 passed, 0 failed in 1 suite\n",
  ]);
  expect(readFileSync(join(cwd, "out.xml"), "utf8")).toContain('tests="8"');
  expect(JSON.parse(readFileSync(join(cwd, "out.json"), "utf8")).summary.passed).toBe(8);
});

test("--update changes nothing but values", async () => {
  const cwd = folder(
    trusted((suite) => suite.replace("every container needs a memory limit", "old").replace("cost: 100", "cost: 1")),
  );
  const ran = await celadon(["test", "--update"], { cwd });
  expect([ran.code, ran.stderr]).toEqual([0, "updated tests.yaml\n"]);
  const written = readFileSync(join(cwd, "tests.yaml"), "utf8");
  expect(written.replace(/cost: \d+/, "cost: 100")).toBe(example("tests.yaml"));
});

test("--init, then --update", async () => {
  const [unbound = ""] = example("policy.yaml").split("---\n");
  const cwd = folder({ "policy.yaml": unbound });
  expect((await celadon(["test", "--init", "policy.yaml"], { cwd })).code).toBe(0);
  expect((await celadon(["test"], { cwd })).code).toBe(1);
  // Without an evaluation, a case is never made to pass.
  const { code, stdout } = await celadon(["test", "--update"], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain(
    "help: `celadon test --update` does not write this verdict; if it is right, write `expect: unmatched`",
  );
});

test("--watch runs again when a file changes, and ends at Ctrl-C", async () => {
  const cwd = folder(trusted());
  const first = join(cwd, "first.json");
  // Begun when the first run has ended, repeated until the second shows.
  const change = setInterval(() => {
    if (!existsSync(first)) return;
    const policy = example("policy.yaml").replace("registry: registry.example.com", "registry: elsewhere.example.com");
    writeFileSync(join(cwd, "policy.yaml"), policy);
  }, 300);
  try {
    const argv = ["test", "--watch", "-o", "text", "-o", "json=first.json"];
    const ran = await installed(argv, { cwd, signal: { name: "SIGINT", after: "FAIL  3 passed" } });
    expect(ran.code).toBe(130);
    expect(ran.stdout).toContain("PASS  8 passed");
    expect(ran.stderr).toContain("watching");
  } finally {
    clearInterval(change);
  }
});
