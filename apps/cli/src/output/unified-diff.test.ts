import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

test("as diff -u", () => {
  const before = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n";
  const after = "a\nb\nc\nD\ne\nf\ng\nh\ni\nj\nk\nl\nm";
  expect(unifiedDiff(before, after, "x.yaml")).toBe(
    "--- a/x.yaml\n+++ b/x.yaml\n@@ -1,7 +1,7 @@\n a\n b\n c\n-d\n+D\n e\n f\n g\n@@ -10,3 +10,4 @@\n j\n k\n l\n+m\n\\ No newline at end of file\n",
  );
  expect(unifiedDiff(before, before, "x.yaml")).toBe("");
});

test("git applies it to the one text and gets the other", () => {
  const line = fc.constantFrom("a\n", "b\n", "c\n", "\n");
  const text = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom("", "z"))
    .map(([l, end]) => l.join("") + end);
  const directory = mkdtempSync(join(tmpdir(), "celadon-diff-"));
  try {
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after && before !== "" && after !== "");
        writeFileSync(join(directory, "f"), before);
        const input = unifiedDiff(before, after, "f");
        execFileSync("git", ["apply", "--unidiff-zero", "--whitespace=nowarn", "-"], { cwd: directory, input });
        expect(execFileSync("cat", ["f"], { cwd: directory, encoding: "utf8" })).toBe(after);
      }),
      { numRuns: 40 },
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("texts that share little are bounded", () => {
  const lines = (from: number): string => Array.from({ length: 20_000 }, (_, i) => `${from + i}\n`).join("");
  const diff = unifiedDiff(lines(0), lines(50_000), "x");
  expect(diff.split("\n").length).toBe(40_004);
});
