import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testIo } from "./io.testing.ts";
import { nodeFiles, nodeIo } from "./io-node.ts";
import type { Files } from "./program/io.ts";
import { findFiles } from "./sources/find/find.ts";

let cwd = "";
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "celadon-"));
  mkdirSync(join(cwd, "folder"));
  writeFileSync(join(cwd, "folder/b.yaml"), "b");
  writeFileSync(join(cwd, "folder/a.yaml"), "a");
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const text = (data: Uint8Array): string => new TextDecoder().decode(data);

// Both must answer alike, so that tests on strings hold on a disk.
const files = { "folder/a.yaml": "a", "folder/b.yaml": "b" };
describe.each([
  ["on a disk", () => nodeFiles(cwd)],
  ["in memory", () => testIo({ files }).files],
] as const)("%s", (_, open: () => Files) => {
  test("kind", async () => {
    const kinds = await Promise.all(
      ["folder", "folder/a.yaml", ".", "none", "folder/a.yaml/x"].map((path) => open().kind(path)),
    );
    expect(kinds).toEqual(["directory", "file", "directory", undefined, undefined]);
  });

  test("read", async () => {
    expect(text(await open().read("folder/a.yaml"))).toBe("a");
    await expect(open().read("none")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(open().read("folder")).rejects.toMatchObject({ code: "EISDIR" });
  });

  test("list", async () => {
    const entries = await open().list("folder");
    expect(entries.map(({ name, kind }) => [name, kind])).toEqual([
      ["a.yaml", "file"],
      ["b.yaml", "file"],
    ]);
    await expect(open().list("none")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(open().list("folder/a.yaml")).rejects.toMatchObject({ code: "ENOTDIR" });
  });

  test("write", async () => {
    const target = open();
    await target.write(new Map([["new/deep/c.txt", "c"]]));
    await target.write(new Map([["new/deep/c.txt", "d"]]));
    expect(text(await target.read("new/deep/c.txt"))).toBe("d");
    expect((await target.list("new/deep")).map(({ name }) => name)).toEqual(["c.txt"]);
    await expect(
      target.write(
        new Map([
          ["other.txt", "x"],
          ["made/for/it.txt", "x"],
          ["folder", "x"],
        ]),
      ),
    ).rejects.toMatchObject({ code: "EISDIR" });
    expect(await target.kind("other.txt")).toBeUndefined(); // all of them or none
    expect(await target.kind("made")).toBeUndefined(); // nor directories
  });
});

test("text: of listed files, and nothing else", async () => {
  const disk = nodeFiles(cwd);
  expect(disk.text?.("folder/a.yaml")).toBeUndefined();
  await disk.list("folder");
  expect(disk.text?.("folder/a.yaml")).toBe("a");
  expect(disk.text?.("./folder/none.yaml")).toBeUndefined();
  mkdirSync(join(cwd, "short-lived"));
  writeFileSync(join(cwd, "short-lived/gone.yaml"), "x");
  await disk.list("short-lived");
  await rm(join(cwd, "short-lived/gone.yaml"));
  expect(disk.text?.("short-lived/gone.yaml")).toBeUndefined();
});

test("links count as their targets", async () => {
  const path = join(cwd, "links");
  mkdirSync(path);
  symlinkSync(join(cwd, "folder"), join(path, "directory"));
  symlinkSync(join(cwd, "folder/a.yaml"), join(path, "file"));
  symlinkSync(join(path, "nowhere"), join(path, "broken"));
  symlinkSync(join(path, "circle"), join(path, "circle"));
  const entries = await nodeFiles(cwd).list("links");
  expect(Object.fromEntries(entries.map(({ name, kind }) => [name, kind]))).toEqual({
    broken: "dangling",
    circle: "dangling",
    directory: "directory",
    file: "file",
  });
});

test("a file keeps its mode when it is written again, and a link stays a link", async () => {
  writeFileSync(join(cwd, "script"), "old");
  chmodSync(join(cwd, "script"), 0o755);
  symlinkSync("script", join(cwd, "to-script"));
  await nodeFiles(cwd).write(new Map([["to-script", "new"]]));
  expect(readFileSync(join(cwd, "script"), "utf8")).toBe("new");
  const { lstatSync, statSync } = await import("node:fs");
  expect(lstatSync(join(cwd, "to-script")).isSymbolicLink()).toBe(true);
  expect(statSync(join(cwd, "script")).mode & 0o777).toBe(0o755);
});

test("changes are seen until the signal", async () => {
  const path = join(cwd, "watched");
  mkdirSync(join(path, "deep"), { recursive: true });
  writeFileSync(join(path, "one.yaml"), "1");
  const controller = new AbortController();
  const seen: string[] = [];
  nodeFiles(cwd).watch(["watched"], (changed) => seen.push(changed), controller.signal);
  nodeFiles(cwd).watch(["watched/one.yaml"], (changed) => seen.push(`file:${changed}`), controller.signal);
  const until = async (entry: string): Promise<void> => expect.poll(() => seen, { timeout: 5000 }).toContain(entry);
  await new Promise((resolve) => setTimeout(resolve, 50));
  writeFileSync(join(path, "deep/two.yaml"), "2");
  await until("watched/deep/two.yaml");
  writeFileSync(join(path, "one.yaml"), "1b");
  await until("file:watched/one.yaml");
  controller.abort();
  const count = seen.length;
  writeFileSync(join(path, "one.yaml"), "1c");
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(seen).toHaveLength(count);
});

const NO_SIGNALS = { hold: () => {}, release: () => {} };

test.runIf(existsSync("/proc/self"))("below procfs nothing can be made, and that is said", async () => {
  await expect(nodeFiles(cwd).write(new Map([["/proc/none/deep/report.json", "x"]]))).rejects.toMatchObject({
    code: "ENOENT",
  });
});

test("links: one identity for a directory, dangling where they lead nowhere or in a circle", async () => {
  const files = nodeFiles(cwd);
  mkdirSync(join(cwd, "real"));
  symlinkSync("real", join(cwd, "to-real"));
  symlinkSync("nowhere", join(cwd, "to-nowhere"));
  symlinkSync("circle", join(cwd, "circle"));
  expect(await files.identity("to-real")).toBe(await files.identity("real"));
  expect(await files.identity("folder")).not.toBe(await files.identity("real"));
  expect([await files.kind("to-nowhere"), await files.kind("circle")]).toEqual(["dangling", "dangling"]);
  const kinds = Object.fromEntries((await files.list(".")).map(({ name, kind }) => [name, kind]));
  expect(kinds).toMatchObject({ "to-real": "directory", "to-nowhere": "dangling", circle: "dangling" });
});

test("nothing is written through a link that leads out", async () => {
  const files = nodeFiles(cwd);
  const outside = mkdtempSync(join(tmpdir(), "celadon-outside-"));
  writeFileSync(join(outside, "theirs"), "kept");
  symlinkSync(join(outside, "theirs"), join(cwd, "link-to-file"));
  symlinkSync(outside, join(cwd, "link-to-directory"));
  for (const path of ["link-to-file", "link-to-directory/theirs", "link-to-directory/new"]) {
    await expect(
      files.write(
        new Map([
          ["mine", "x"],
          [path, "x"],
        ]),
      ),
    ).rejects.toMatchObject({ code: "EOUTSIDE", file: path });
  }
  expect(readFileSync(join(outside, "theirs"), "utf8")).toBe("kept");
  expect([existsSync(join(outside, "new")), existsSync(join(cwd, "mine"))]).toEqual([false, false]);
  // A link that stays inside leads on, and a path outside may be named.
  writeFileSync(join(cwd, "own"), "");
  symlinkSync("own", join(cwd, "to-own"));
  await files.write(
    new Map([
      ["to-own", "written"],
      [join(outside, "asked-for"), "written"],
    ]),
  );
  expect([readFileSync(join(cwd, "own"), "utf8"), readFileSync(join(outside, "asked-for"), "utf8")]).toEqual([
    "written",
    "written",
  ]);
});

test("programs return code and output; missing ones reject", async () => {
  const { io } = nodeIo(process, NO_SIGNALS);
  const ran = await io.run(process.execPath, ["-e", "console.log('out'); console.error('err'); process.exit(3)"], 1000);
  expect({ ...ran, stdout: text(ran.stdout) }).toEqual({ code: 3, stdout: "out\n", stderr: "err\n" });
  await expect(io.run("celadon-no-such-program", [], 1000)).rejects.toMatchObject({ code: "ENOENT" });
  await expect(io.run(process.execPath, ["-e", "console.log('x'.repeat(5000))"], 1000)).rejects.toThrow("maxBuffer");
});

test("a failed write leaves no file", async () => {
  let held = 0;
  const { io } = nodeIo(process, { hold: () => held++, release: () => held-- });
  const beside = (name: string): string => join(cwd, name);
  await expect(
    io.files.write(
      new Map([
        [beside("fine.txt"), "x"],
        [beside("folder"), "x"],
      ]),
    ),
  ).rejects.toThrow();
  expect(held).toBe(0);
  expect(existsSync(beside("fine.txt"))).toBe(false);
  expect(readdirSync(cwd).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("a write that is given up leaves the old files, and nothing else", async () => {
  let held = 0;
  const { io, stopWriting } = nodeIo(process, { hold: () => held++, release: () => held-- });
  const place = join(cwd, "given-up");
  mkdirSync(place);
  writeFileSync(join(place, "old.txt"), "old");
  const large = "x".repeat(1_000_000);
  let pieces = 0;
  const endless = function* (): Generator<string> {
    for (; pieces < 1000; pieces++) {
      if (pieces === 3) stopWriting();
      yield large;
    }
  };
  const texts = new Map<string, string | Iterable<string>>([
    [join(place, "old.txt"), "new"],
    [join(place, "made/for/it.txt"), endless()],
  ]);
  await expect(io.files.write(texts)).rejects.toMatchObject({ name: "AbortError" });
  expect(pieces).toBeLessThan(10);
  expect(held).toBe(0);
  expect(readdirSync(place)).toEqual(["old.txt"]);
  expect(readFileSync(join(place, "old.txt"), "utf8")).toBe("old");
});

test("many paths are watched with one listener of the signal", async () => {
  const warnings: string[] = [];
  const warned = (warning: Error): void => void warnings.push(warning.name);
  process.on("warning", warned);
  const controller = new AbortController();
  nodeFiles(cwd).watch(
    Array.from({ length: 40 }, (_, i) => `folder/${i}.yaml`),
    () => {},
    controller.signal,
  );
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  process.off("warning", warned);
  expect(warnings).toEqual([]);
});

test.skipIf(process.platform === "win32")("pipes in a directory are noted, not read", async () => {
  mkdirSync(join(cwd, "pipes"));
  execFileSync("mkfifo", [join(cwd, "pipes/p.yaml"), join(cwd, "pipes/other")]);
  writeFileSync(join(cwd, "pipes/a.yaml"), "a");
  const io = { ...testIo({}), files: nodeFiles(cwd) };
  for (const path of ["pipes", "pipes/*.yaml"]) {
    const { files: found, issues, notes } = await findFiles([path], "celadon", io);
    expect(found.map((file) => file.path)).toEqual(["pipes/a.yaml"]);
    expect(issues).toEqual([]);
    expect(notes.map(({ file }) => file)).toEqual(["pipes/p.yaml"]);
  }
});
