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

  test("read the ignore files of the directories that they search", async () => {
    const repository = {
      "repo/.celadonignore": "/old/\nb.yaml\n",
      "repo/.gitignore": "*.json\n",
      "repo/a.yaml": pod("a"),
      "repo/a.json": "{",
      "repo/b.yaml": pod("b"),
      "repo/old/c.yaml": pod("c"),
      "repo/deep/old/d.yaml": pod("d"),
      "repo/deep/.celadonignore": "!b.yaml\n",
      "repo/deep/b.yaml": pod("e"),
      "old/f.yaml": pod("f"),
    };
    const names = async (line: string, more: Record<string, string> = {}): Promise<string[]> => {
      const { stdout } = await runLine(line.split(" "), { files: { ...repository, ...more } });
      return [...stdout.matchAll(/Pod default\/(\w)/g)].map(([, name]) => name!);
    };
    expect(await names("check repo old --gitignore")).toEqual(["a", "e", "d", "f"]);
    expect(await names("check /virtual/repo --gitignore")).toEqual(["a", "e", "d"]);
    expect(await names("check repo/... --gitignore --exclude deep")).toEqual(["a"]);
    expect(await names("check repo/**/*.yaml")).toEqual(["a", "e", "d"]);
    // Flags come before files, and a nearer file before another.
    expect(await names("check repo --gitignore --exclude !b.yaml")).toEqual(["a", "b", "e", "d"]);
    expect(await names("check repo --gitignore", { ".celadonignore": "a.yaml\n" })).toEqual(["e", "d"]);
    // Names that only begin alike are other directories.
    expect(await names("check repo repo2", { "repo2/b.yaml": pod("z") })).toContain("z");
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
