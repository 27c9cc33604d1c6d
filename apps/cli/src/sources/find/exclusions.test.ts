import { describe, expect, test } from "vitest";
import { runLine } from "../../io.testing.ts";
import { Exclusions } from "./exclusions.ts";

// biome-ignore format: one case per line
const cases: [readonly string[], string, boolean][] = [
  [["*.json"],                 "a/b/c.json",          true],
  [["*.json"],                 "a/b/c.yaml",          false],
  [["test"],                   "a/test",              true],
  [["a/test"],                 "a/test",              true],
  [["a/test"],                 "b/a/test",            false],
  [["/test"],                  "a/test",              false],
  [["/test"],                  "test",                true],
  [["a/**/z.yaml"],            "a/z.yaml",            true],
  [["a/**/z.yaml"],            "a/b/c/z.yaml",        true],
  [["**/tests/*.yaml"],        "x/y/tests/a.yaml",    true],
  [["*.yaml", "!keep.yaml"],   "keep.yaml",           false],
  [["!keep.yaml", "*.yaml"],   "keep.yaml",           true],
  [["# a comment", "", " "],   "a.yaml",              false],
  [["./a.yaml"],               "a.yaml",              false],
  [["a.yaml"],                 "./a.yaml",            true],
];
test.each(cases)("%j leaves out %s: %s", (patterns, path, want) => {
  expect(new Exclusions(patterns).excludes(path, false)).toBe(want);
});

test("a pattern with a slash at its end is for directories", () => {
  const exclusions = new Exclusions(["build/"]);
  expect([exclusions.excludes("a/build", true), exclusions.excludes("a/build", false)]).toEqual([true, false]);
});

test("many stars take no longer than their number times the path", () => {
  const exclusions = new Exclusions([`${"**/a/".repeat(50)}b`]);
  expect(exclusions.excludes("a/".repeat(500), false)).toBe(false);
});

describe("commands", () => {
  const pod = (name: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: c, image: i}]}\n`;
  const files = { "a.yaml": pod("a"), "old/b.yaml": pod("b"), "c.yaml": pod("c") };

  test("leave out what --exclude, .celadonignore and .gitignore say, and say so", async () => {
    const ignored = { ...files, ".celadonignore": "c.yaml\n", ".gitignore": "a.yaml\n" };
    const one = await runLine(["check", "-f", ".", "--exclude", "old/"], { files: ignored });
    expect(one.stdout).toContain("1 object, 1 allowed");
    expect(one.stderr).toContain(".: left out 2 files and directories by --exclude or ignore files");
    const none = await runLine(["check", "-f", ".", "--exclude", "old/", "--gitignore"], { files: ignored });
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("no .yaml, .yml, .json or .csr files in this directory");
  });

  test("read a file that is named", async () => {
    const { stdout } = await runLine(["check", "old/b.yaml", "--exclude", "old/"], { files });
    expect(stdout).toContain("Pod default/b");
  });

  test("test leaves out suites", async () => {
    const suite = "apiVersion: celadon.dev/v1\nkind: TestSuite\nresources: []\ntests: [\n";
    const { stderr } = await runLine(["test", "--exclude", "broken"], { files: { "broken/s.yaml": suite } });
    expect(stderr).toContain("no test suites in .");
  });
});
