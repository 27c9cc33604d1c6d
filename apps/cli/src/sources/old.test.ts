import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { KubeObject } from "@celadon/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testIo } from "../io.testing.ts";
import { nodeFiles } from "../io-node.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { loadManifests } from "./load.ts";
import { loadOld } from "./old.ts";
import { pairManifests } from "./pairs.ts";

const object = (apiVersion: string, kind: string, name: string, namespace?: string): { object: KubeObject } => ({
  object: { apiVersion, kind, metadata: { ...(name && { name }), ...(namespace && { namespace }) } },
});
const pod = (name: string, image = "a"): string =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\nspec:\n  image: ${image}\n`;

describe("pairs", () => {
  const old = object("v1", "Pod", "a");
  // biome-ignore format: one case per line
  const cases = [
    { name: "the same",                     now: object("v1", "Pod", "a"),                  paired: true },
    { name: "in the default namespace",     now: object("v1", "Pod", "a", "default"),       paired: true },
    { name: "in another namespace",         now: object("v1", "Pod", "a", "other"),         paired: false },
    { name: "of another name",              now: object("v1", "Pod", "b"),                  paired: false },
    { name: "of another kind",              now: object("v1", "Service", "a"),              paired: false },
    { name: "of another version",           now: object("v2", "Pod", "a"),                  paired: true },
    { name: "of another group",             now: object("x/v1", "Pod", "a"),                paired: false },
    { name: "without a name",               now: object("v1", "Pod", ""),                   paired: false },
  ];
  test.each(cases)("$name", ({ now, paired }) => {
    const pairs = pairManifests([now], [old]);
    expect(pairs.updated).toEqual(paired ? [{ old, new: now }] : []);
    expect(pairs.created).toEqual(paired ? [] : [now]);
    expect(pairs.deleted).toEqual(paired ? [] : [old]);
    expect(pairs.oldOf(now)).toBe(paired ? old : undefined);
  });

  test("the namespace of those without one", () =>
    expect(pairManifests([old], [object("v1", "Pod", "a", "prod")], "prod").updated).toHaveLength(1));
});

describe("--old", () => {
  const files = { "new/a.yaml": pod("a", "b"), "old/a.yaml": pod("a"), "old/b.yaml": pod("b"), "bad.yaml": "a: [" };
  const load = async (old: string[], oldGit?: string) => {
    const io = testIo({ files });
    const { manifests } = await loadManifests(["new"], {}, io);
    return loadOld(manifests, { old, oldGit, paths: ["new"] }, io);
  };

  test("none", async () => expect(await load([])).toBeUndefined());
  test("files", async () => {
    const { pairs, issues } = (await load(["old"]))!;
    expect(issues).toEqual([]);
    expect(pairs.updated.map(({ old }) => old.object.spec)).toEqual([{ image: "a" }]);
    expect(pairs.deleted.map((manifest) => manifest.origin!.file)).toEqual(["old/b.yaml"]);
  });
  test("broken files", async () => expect((await load(["bad.yaml"]))!.issues).toMatchObject([{ code: "syntax" }]));
  test("both from standard input", async () => {
    const options = { old: ["-"], oldGit: undefined, paths: ["-"] };
    await expect(loadOld([], options, testIo({ stdin: "" }))).rejects.toThrow("both -f and --old");
  });
  test("with git as well", async () => expect(load(["old"], "HEAD")).rejects.toThrow("cannot be used together"));
});

describe("errors of git", () => {
  const answers = (stderr: string) => ({ code: 128, stdout: "", stderr });
  // biome-ignore format: one case per line
  const cases = [
    { name: "nothing: it is not installed", programs: undefined,  paths: ["a.yaml"], rev: "HEAD",  message: "git is not installed, and revisions are read with it" },
    { name: "not a repository",             programs: () => answers("fatal: not a git repository (or any of the parent directories): .git"), paths: ["a.yaml"], rev: "HEAD", message: "not a git repository" },
    { name: "someone else's repository",    programs: () => answers("fatal: detected dubious ownership in repository at '/x'"), paths: ["a.yaml"], rev: "HEAD", message: "not a git repository: fatal: detected dubious ownership in repository at '/x'" },
    { name: "unknown revision",             programs: (_: string, args: readonly string[]) => (args.includes("--verify") ? answers("") : { code: 0, stdout: "" }), paths: ["a.yaml"], rev: "nope", message: 'unknown git revision "nope"' },
    { name: "a flag as revision",           programs: () => ({ code: 0, stdout: "" }), paths: ["a.yaml"], rev: "--upload-pack=x", message: 'unknown git revision "--upload-pack=x"' },
    { name: "an empty revision",            programs: () => ({ code: 0, stdout: "" }), paths: ["a.yaml"], rev: "", message: 'unknown git revision ""' },
    { name: "a path outside",               programs: () => ({ code: 0, stdout: "/virtual" }), paths: ["../a.yaml"], rev: "HEAD", message: "../a.yaml is outside the git repository /virtual" },
    { name: "standard input",               programs: () => ({ code: 0, stdout: "" }), paths: ["-"], rev: "HEAD", message: 'standard input has no revision "HEAD"' },
  ];
  test.each(cases)("$name", async ({ programs, paths, rev, message }) => {
    const io = testIo({ ...(programs && { programs }) });
    const error = await loadOld([], { old: [], oldGit: rev, paths }, io).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toBe(message);
  });
});

const hasGit = spawnSync("git", ["--version"]).status === 0;

describe.skipIf(!hasGit)("a real repository", () => {
  let root = "";
  const git = (...args: string[]): void => {
    const names = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"];
    execFileSync("git", [...names, ...args], { cwd: root, stdio: "ignore" });
  };
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const ioAt = (cwd: string): Io => ({
    ...testIo(),
    cwd,
    files: nodeFiles(cwd),
    run: async (program, args, limit) => {
      const { status, stdout, stderr } = spawnSync(program, [...args], { cwd, maxBuffer: limit });
      return { code: status ?? 1, stdout, stderr: String(stderr) };
    },
  });
  const names = (all: readonly { object: KubeObject }[]) => all.map((item) => item.object.metadata?.name);
  const oldAt = async (cwd: string, paths: string[], revision = "HEAD") => {
    const io = ioAt(cwd);
    const { manifests } = await loadManifests(paths, {}, io);
    return (await loadOld(manifests, { old: [], oldGit: revision, paths }, io))!;
  };

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "celadon-old-"));
    git("init", "-q", "-b", "main");
    write("d/a.yaml", pod("a"));
    write("d/same.yaml", pod("same"));
    write("d/ünï cöde.yaml", pod("unicode"));
    write("d/sub/gone.yaml", pod("gone"));
    write("d/broken.yaml", "a: [\n");
    write("d/values.yaml", "a: 1\n");
    write("d/copy.yaml", pod("same"));
    write("other/o.yaml", pod("o"));
    for (let i = 0; i < 300; i++) write(`many/${i}.yaml`, pod(`p${i}`));
    symlinkSync("a.yaml", join(root, "d/link.yaml"));
    git("add", ".");
    git("commit", "-q", "-m", "one");
    git("tag", "v1");
    write("d/a.yaml", pod("a", "b"));
    write("d/new.yaml", pod("new"));
    write("d/broken.yaml", pod("mended"));
    rmSync(join(root, "d/sub"), { recursive: true });
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test("a directory", async () => {
    const { pairs, issues, notes } = await oldAt(root, ["d"]);
    expect(issues).toEqual([]);
    expect(names(pairs.created)).toEqual(["mended", "new"]);
    expect(names(pairs.deleted)).toEqual(["gone"]);
    const changed = pairs.updated.find((pair) => pair.new.object.metadata?.name === "a")!;
    expect(changed.old.object.spec).toEqual({ image: "a" });
    expect(changed.old.origin!.positionOf(["spec", "image"])).toMatchObject({ file: "HEAD:d/a.yaml", line: 6 });
    expect(names(pairs.updated.map((pair) => pair.old))).toContain("unicode");
    expect(notes.map(({ file }) => file)).toEqual(["HEAD:d/values.yaml", "HEAD:d/broken.yaml"]);
  });

  test("from a directory inside, by patterns, whole, absolute", async () => {
    for (const [cwd, paths] of [
      [join(root, "other"), ["../d"]],
      [root, ["d/**/*.yaml"]],
      [root, ["./..."]],
      [root, [join(root, "d")]],
      ["/", [join(root, "d")]],
      [tmpdir(), [join(basename(root), "d")]],
    ] as [string, string[]][]) {
      expect(names((await oldAt(cwd, paths, "v1")).pairs.deleted), String(paths)).toEqual(["gone"]);
    }
  });

  test("one file, and one that is new", async () => {
    const { pairs, notes } = await oldAt(root, ["d/a.yaml", "d/new.yaml"]);
    expect([names(pairs.created), names(pairs.deleted), notes]).toEqual([["new"], [], []]);
  });

  test("many files with few calls", async () => {
    let calls = 0;
    const io = ioAt(root);
    const run: Io["run"] = (...args) => {
      calls++;
      return io.run(...args);
    };
    const counted: Io = { ...io, run };
    const { manifests } = await loadManifests(["many"], {}, io);
    const { pairs } = (await loadOld(manifests, { old: [], oldGit: "main", paths: ["many"] }, counted))!;
    expect(pairs.updated).toHaveLength(300);
    expect(pairs.updated.every((pair) => pair.old.object.metadata?.name === pair.new.object.metadata?.name)).toBe(true);
    expect(calls).toBeLessThanOrEqual(5);
  });

  test("absent resources", async () => {
    await expect(oldAt(root, ["d"], "nope")).rejects.toThrow('unknown git revision "nope"');
    await expect(oldAt(root, ["d", join(root, "../x.yaml")])).rejects.toThrow("is outside the git repository");
    const outside = mkdtempSync(join(tmpdir(), "celadon-none-"));
    await expect(oldAt(outside, ["."], "HEAD")).rejects.toThrow("not a git repository");
    rmSync(outside, { recursive: true });
  });

  test("a submodule is reported in a note", async () => {
    git("clone", "-q", ".", "library");
    git("-c", "advice.addEmbeddedRepo=false", "add", "library");
    git("commit", "-q", "-m", "two");
    const { notes } = await oldAt(root, ["library"]);
    expect(notes).toContainEqual({ file: "HEAD:library", message: "is a submodule; its files are not read" });
  });
});
