import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { testIo } from "../../io.testing.ts";
import { nodeFiles } from "../../io-node.ts";
import { findFiles } from "./find.ts";

const FILES: readonly string[] = [
  "a.yaml",
  "b.txt",
  "-x.yaml",
  "[1].yaml",
  "deploy/web.yml",
  "deploy/api.yaml",
  "deploy/README.md",
  "deploy/.hidden.yaml",
  "deploy/sub/deep/x.json",
  "deploy/.git/config.yaml",
  "deploy/node_modules/m/p.json",
  "docs/note.md",
  "/other/o.yaml",
];

const io = testIo({ files: Object.fromEntries(FILES.map((path) => [path, "x"])), stdin: "" });
const find = (...paths: string[]) => findFiles(paths, "celadon check -f -", io);

describe("found files", () => {
  const deploy = ["deploy/api.yaml", "deploy/sub/deep/x.json", "deploy/web.yml"];
  // biome-ignore format: one case per line
  const cases = [
    { paths: ["a.yaml"],                          want: ["a.yaml"] },
    { paths: ["b.txt"],                           want: ["b.txt"] },
    { paths: ["deploy/.hidden.yaml"],             want: ["deploy/.hidden.yaml"] },
    { paths: ["deploy"],                          want: deploy },
    { paths: ["deploy/"],                         want: deploy },
    { paths: ["./deploy"],                        want: deploy.map((path) => `./${path}`) },
    { paths: ["deploy/..."],                      want: deploy },
    { paths: ["./..."],                           want: ["-x.yaml", "[1].yaml", "a.yaml", ...deploy] },
    { paths: ["..."],                             want: ["-x.yaml", "[1].yaml", "a.yaml", ...deploy] },
    { paths: ["/other"],                          want: ["/other/o.yaml"] },
    { paths: ["-"],                               want: ["-"] },
    { paths: ["a.yaml", "-", "a.yaml", "-"],      want: ["a.yaml", "-"] },
    { paths: ["./a.yaml", "a.yaml"],              want: ["./a.yaml"] },
    { paths: ["deploy/web.yml", "deploy"],        want: ["deploy/web.yml", "deploy/api.yaml", "deploy/sub/deep/x.json"] },
    { paths: ["[1].yaml"],                        want: ["[1].yaml"] },
    { paths: ["deploy/*.yaml"],                   want: ["deploy/api.yaml"] },
    { paths: ["deploy/*"],                        want: deploy },
    { paths: ["deploy/**"],                       want: deploy },
    { paths: ["**/*.json"],                       want: ["deploy/sub/deep/x.json"] },
    { paths: ["**/x.json"],                       want: ["deploy/sub/deep/x.json"] },
    { paths: ["deploy/**/deep/*.json"],           want: ["deploy/sub/deep/x.json"] },
    { paths: ["*/*.{yaml,yml}"],                  want: ["deploy/api.yaml", "deploy/web.yml"] },
    { paths: ["d[aeiou]*/a??.yaml"],              want: ["deploy/api.yaml"] },
    { paths: ["deploy/*.md"],                     want: ["deploy/README.md"] },
    { paths: ["deploy/.*.yaml"],                  want: ["deploy/.hidden.yaml"] },
    { paths: ["/oth*/*.yaml"],                    want: ["/other/o.yaml"] },
    { paths: ["{a.yaml,deploy/web.yml}"],         want: ["a.yaml", "deploy/web.yml"] },
  ];
  test.each(cases)("$paths", async ({ paths, want }) => {
    const { files, issues } = await find(...paths);
    expect(files.map(({ path }) => path)).toEqual(want);
    expect(issues).toEqual([]);
  });

  test("a file that is named stays named", async () => {
    const { files } = await find("deploy", "deploy/web.yml");
    expect(files.filter(({ named }) => named)).toEqual([{ path: "deploy/web.yml", named: true }]);
  });
});

describe("skipped files", () => {
  // biome-ignore format: one case per line
  const cases = [
    { path: "nope.yaml",               code: "missing",  message: "no such file or directory", hint: undefined },
    { path: "nope/...",                code: "missing",  message: "no such file or directory", hint: undefined },
    { path: "a.yaml/x",                code: "missing",  message: "no such file or directory", hint: undefined },
    { path: "-f",                      code: "missing",  message: "no such file or directory", hint: "for a file of this name, write ./-f" },
    { path: "",                        code: "missing",  message: "the path is empty", hint: undefined },
    { path: "docs",                    code: "no_match", message: "no .yaml, .yml, .json or .csr files in this directory", hint: "name the files, or another directory" },
    { path: "*.toml",                  code: "no_match", message: "the pattern matches no files", hint: "quote it if the shell should not expand it" },
    { path: "nope/**/*.yaml",          code: "no_match", message: "the pattern matches no files", hint: "quote it if the shell should not expand it" },
    { path: "{a,b}".repeat(12),        code: "no_match", message: "the pattern has too many alternatives", hint: undefined },
    { path: "https://example.com/a.yaml", code: "url",   message: "https://example.com/a.yaml is a URL; only local files can be read", hint: "download it first: curl -sSfL https://example.com/a.yaml | celadon check -f -" },
  ];
  test.each(cases)("$path", async ({ path, code, message, hint }) => {
    const { files, issues } = await find(path);
    expect(files).toEqual([]);
    expect(issues).toEqual([{ code, file: path, message, ...(hint && { hint }) }]);
  });

  test("a directory that may not be read", async () => {
    const denied = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
    const closed = { ...io, files: { ...io.files, list: () => Promise.reject(denied) } };
    const { issues } = await findFiles(["deploy", "d*/x"], "", closed);
    expect(issues.map(({ code, message }) => ({ code, message }))).toContainEqual({
      code: "unreadable",
      message: "permission denied",
    });
  });

  test("a directory that contains itself", async () => {
    const loop = {
      ...io.files,
      list: async () => [{ name: "d", kind: "directory" as const }],
      kind: async () => "directory" as const,
    };
    const { issues } = await findFiles(["d"], "", { ...io, files: loop });
    expect(issues).toHaveLength(1);
    expect(issues[0]!.message).toBe("more than 64 directories deep");
  });
});

describe("links", () => {
  const looped = (): string => {
    const cwd = mkdtempSync(join(tmpdir(), "celadon-find-"));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    mkdirSync(join(cwd, "a/b"), { recursive: true });
    writeFileSync(join(cwd, "a/b/x.yaml"), "x");
    for (const name of ["one", "two", "three"]) symlinkSync(".", join(cwd, "a", name));
    return cwd;
  };
  const findIn = (cwd: string, ...paths: string[]) =>
    findFiles(paths, "celadon check -f -", { ...io, files: nodeFiles(cwd), cwd });

  test.each([[["."]], [["a"]], [["**/*.yaml"]], [["a/**/x.yaml"]]])(
    "%j reads a file once, however many links lead to it",
    async (paths) => {
      const { files, issues } = await findIn(looped(), ...paths);
      expect({ files: files.length, issues }).toEqual({ files: 1, issues: [] });
    },
  );

  test("two names of one directory are no mistake", async () => {
    const { files, issues } = await findIn(looped(), "a/b", "a/one/b");
    expect({ files: files.map(({ path }) => path), issues }).toEqual({ files: ["a/b/x.yaml"], issues: [] });
  });

  test("a link to nowhere is named", async () => {
    const cwd = looped();
    symlinkSync("gone.yaml", join(cwd, "a/b/dangling.yaml"));
    for (const paths of [["a"], ["a/b/dangling.yaml"], ["a/b/*.yaml"], ["a/**/*.yaml"]]) {
      expect((await findIn(cwd, ...paths)).issues).toMatchObject([
        { code: "dangling", file: "a/b/dangling.yaml", message: "symbolic link to a file that does not exist" },
      ]);
    }
  });

  test("a link to nowhere may stand for a directory", async () => {
    const cwd = looped();
    for (const name of ["base", "notes.txt", ".#x.yaml"]) symlinkSync("gone", join(cwd, "a/b", name));
    const { issues } = await findIn(cwd, "a");
    expect(issues.map(({ file }) => file)).toEqual(["a/b/base"]);
  });
});
