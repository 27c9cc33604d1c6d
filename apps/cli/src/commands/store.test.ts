// store backup, restore, check: their output and exit codes. The store's own tests cover the copies.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLmdb } from "@celadon/storage/lmdb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "celadon-store-command-"));
  mkdirSync(at("data"));
  const store = await openLmdb(at("data", "store"));
  for (let i = 0; i < 20; i++) {
    await store.write([{ op: "put", key: `/pods/${i % 5}`, value: Buffer.from(`${i} ${"x".repeat(2_000)}`) }]);
  }
  await store.close();
  const content = readFileSync(at("data", "store", "data.mdb"));
  content[content.indexOf("19 xxx") + 500] = 0x79;
  mkdirSync(at("damaged", "store"), { recursive: true });
  writeFileSync(at("damaged", "store", "data.mdb"), content);
  writeFileSync(at("damaged.backup"), content);
  writeFileSync(at("notes.txt"), "no backup");
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a backup is checked, restored, and checked again; nothing is overwritten", async () => {
  const run = (...argv: string[]) => runLine(["store", ...argv]);
  const data = ["--data-dir", at("data")];
  const file = at("a.backup");
  expect(await run("backup", file, ...data)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/a\.backup: 5 objects at revision 21, [\d.]+ KiB\n$/),
  });
  expect(await run("backup", file, ...data)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/a\.backup exists already\n {2}help: name a file that does not exist\n/),
  });
  expect(await run("check", file)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/a\.backup: no damage\n {2}5 objects, 20 versions, revisions 1 to 21\n/),
  });
  expect(await run("restore", file, "--data-dir", at("new"))).toMatchObject({
    code: 0,
    stdout: `${at("new", "store")}: 5 objects restored; revisions continue from 1000000021\n`,
  });
  expect(await run("restore", file, "--data-dir", at("new"))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("move it away, or restore into another --data-dir"),
  });
  expect(await run("restore", file, "--data-dir", at("same"), "--bump-revision", "0")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("continue from 21\n"),
  });
  const { code, stdout } = await run("check", "--data-dir", at("new"), "-o", "json");
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { kind: "StoreReport", stores: [{ path: at("new", "store"), revision: 1000000021, keys: 5, problems: [] }] },
  ]);
});

test("a server that runs is backed up and checked", async () => {
  mkdirSync(at("busy"));
  const store = await openLmdb(at("busy", "store"));
  await store.write([{ op: "put", key: "/a", value: Buffer.from("1") }]);
  expect(await runLine(["store", "backup", at("busy.backup"), "--data-dir", at("busy")])).toMatchObject({ code: 0 });
  expect(await runLine(["store", "check", "--data-dir", at("busy")])).toMatchObject({ code: 0 });
  await store.close();
});

// biome-ignore format: one case per line
const failures: [line: string, code: number, says: string][] = [
  ["backup x.backup --data-dir damaged",              1, "is damaged: version 21.0 is damaged"],
  ["restore damaged.backup --data-dir d1",            1, "is damaged: version 21.0 is damaged"],
  ["check damaged.backup",                            1, "version 21.0 is damaged"],
  ["check --data-dir damaged",                        1, "restore a backup"],
  ["backup x.backup --data-dir nowhere",              2, "there is no store in"],
  ["backup no/folder/x.backup --data-dir data",       1, "cannot be written"],
  ["backup",                                          2, "name one: celadon store backup FILE"],
  ["backup x.backup y.backup --data-dir data",        2, "one file at a time"],
  ["restore",                                         2, "name one: celadon store restore FILE"],
  ["restore notes.txt --data-dir d2",                 2, "is not a store"],
  ["restore nothing.backup --data-dir d3",            2, "there is no store in"],
  ["restore damaged.backup --bump-revision -1",       2, "--bump-revision"],
  ["check notes.txt",                                 2, "is not a store"],
  ["check --data-dir nowhere",                        2, "set --data-dir to the data directory"],
];
test.each(failures)("store %s", async (line, want, says) => {
  const words = line.split(" ");
  const paths = words.map((word, i) =>
    i > 0 && !word.startsWith("-") && words[i - 1] !== "--bump-revision" ? at(word) : word,
  );
  const { code, stdout, stderr } = await runLine(["store", ...paths]);
  expect([code, (stdout + stderr).includes(says)], stdout + stderr).toEqual([want, true]);
  for (const name of ["x.backup", "nowhere", "no", "d1", "d2", "d3"]) expect(existsSync(at(name))).toBe(false);
});

test("a disk that cannot be written is an error with code 1 or 2, not a crash", async () => {
  const { code, stderr } = await runLine(["store", "backup", "/proc/celadon.backup", "--data-dir", at("data")]);
  expect([1, 2]).toContain(code);
  expect(stderr).toContain("cannot be written");
});

test("the help of each has examples and exit codes", async () => {
  for (const verb of ["backup", "restore", "check"]) {
    const { code, stdout } = await runLine(["store", verb, "--help"]);
    expect([code, stdout.includes("Exit codes: 0"), stdout.includes(`celadon store ${verb}`)]).toEqual([0, true, true]);
  }
  expect((await runLine(["store"])).stdout).toContain("store backup");
});
