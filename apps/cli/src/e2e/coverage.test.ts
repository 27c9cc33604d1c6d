// `celadon test --coverage`: text, files, thresholds, mistakes.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { celadon, expectGolden, expectGoldenRun, folder, ROOT } from "./run.testing.ts";

const example = (name: string): string => readFileSync(join(ROOT, "examples/trusted-images", name), "utf8");
const FILES = {
  "policy.yaml": example("policy.yaml"),
  "pod.yaml": example("pod.yaml"),
  "tests.yaml": example("tests.yaml"),
};

// biome-ignore format: one golden per line
const goldens: { name: string; argv: string[] }[] = [
  { name: "examples",       argv: ["examples", "--coverage"] },
  { name: "one-case",       argv: ["examples/trusted-images", "--coverage", "--run", "nobody looks"] },
  { name: "below",          argv: ["examples", "-q", "--coverage-min", "95.5", "--coverage-min-policy", "80%"] },
  { name: "bad-format",     argv: ["examples", "--coverage-out", "htlm=x"] },
  { name: "no-file",        argv: ["examples", "--coverage-out", "lcov"] },
  { name: "two-files",      argv: ["examples", "--coverage-out", "lcov=x", "--coverage-out", "html=x"] },
  { name: "bad-percentage", argv: ["examples", "--coverage-min", "101"] },
];
test.each(goldens)("$name", async ({ name, argv }) => {
  expectGoldenRun(`coverage/${name}.txt`, await celadon(["test", ...argv]));
});

test("files of every format, whole, and thresholds that are met", async () => {
  const cwd = folder(FILES);
  const argv = ["html", "lcov", "json"].flatMap((format) => ["--coverage-out", `${format}=out/c.${format}`]);
  const ran = await celadon(["test", ...argv, "--coverage-min", "50", "--coverage-min-policy", "50"], { cwd });
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: "" });
  expect(readdirSync(join(cwd, "out")).sort()).toEqual(["c.html", "c.json", "c.lcov"]);
  for (const format of ["html", "lcov", "json"]) {
    expectGolden(`coverage/trusted-images.${format}`, readFileSync(join(cwd, `out/c.${format}`), "utf8"));
  }
});

test("the document for machines has it, and the formats for CI the thresholds", async () => {
  const cwd = folder(FILES);
  const { code, stdout, stderr } = await celadon(["test", "--coverage-min", "100", "-o", "json", "-o", "junit=j.xml"], {
    cwd,
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^celadon: coverage is \d+\.\d% \(\d+ of \d+ points\), below --coverage-min 100\n$/);
  const { summary, coverage } = JSON.parse(stdout);
  expect(summary).toMatchObject({ passed: 8, failed: 0 });
  expect(coverage).toMatchObject({ apiVersion: "celadon.dev/v1", kind: "CoverageReport" });
  expect(readFileSync(join(cwd, "j.xml"), "utf8")).toContain("below --coverage-min 100");
});

test("a file that cannot be written", async () => {
  const cwd = folder({ ...FILES, "taken/x": "" });
  const { code, stdout, stderr } = await celadon(["test", "--coverage-out", "html=taken", "-o", "json=a.json"], {
    cwd,
  });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^celadon: cannot write "taken": is a directory/);
  expect(existsSync(join(cwd, "a.json"))).toBe(false);
});
