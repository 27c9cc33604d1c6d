// Copies of a store: consistent while it is written, never over an existing file, and without remains after a failure.

import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bytes, codeOf, put, shown, take } from "../contract/texts.testing.ts";
import { freshDirectory } from "./directory.testing.ts";
import { openRoot } from "./environment.ts";
import { backupLmdb, checkLmdb, openLmdb, restoreLmdb } from "./index.ts";
import { whilePresent } from "./presence.ts";
import { RAISE_REVISION } from "./restore.ts";
import { readOnly, smallDisk } from "./small-disk.testing.ts";

/** A store with some history, and a backup of it. */
async function withBackup(): Promise<{ directory: string; folder: string; file: string; revision: number }> {
  const directory = freshDirectory();
  const folder = freshDirectory();
  const store = await openLmdb(directory);
  for (let i = 0; i < 40; i++) await put(store, `/k/${i % 10}`, `${i} ${"x".repeat(3_000)}`);
  const revision = await store.revision();
  await store.close();
  const file = join(folder, "backup");
  await backupLmdb(directory, file);
  return { directory, folder, file, revision };
}

describe("a backup", () => {
  test("a backup made during writes is consistent", async () => {
    const directory = freshDirectory();
    const store = await openLmdb(directory);
    await Promise.all([0, 1, 2].map((n) => put(store, `/k/${n}`, "first")));
    let isOver = false;
    const writing = (async () => {
      for (let i = 0; !isOver; i++) {
        const value = bytes(`${i} ${"x".repeat(2_000)}`);
        await store.write([0, 1, 2].map((n) => ({ op: "put", key: `/k/${n}`, value })));
      }
    })();
    for (let i = 0; i < 3; i++) {
      const file = join(freshDirectory(), "backup");
      const { revision, keys, bytes: size } = await backupLmdb(directory, file);
      expect(statSync(file).size).toBe(size);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const target = join(freshDirectory(), "new");
      await restoreLmdb(file, target, { raiseRevision: 0 });
      const copy = await openLmdb(target);
      const page = await copy.list("/k/");
      expect([page.revision, page.entries.length]).toEqual([revision, keys]);
      expect(new Set(page.entries.map(({ value }) => Buffer.from(value).toString())).size).toBe(1);
      await copy.close();
    }
    isOver = true;
    await writing;
    await store.close();
  });

  test("is restored with revisions that no client has seen", async () => {
    const { file, revision } = await withBackup();
    const target = freshDirectory();
    expect(await restoreLmdb(file, target)).toMatchObject({ revision: revision + RAISE_REVISION, keys: 10 });
    const store = await openLmdb(target);
    expect(await codeOf(store.get("/k/1", { revision }))).toBe("compacted");
    const watch = store.watch("/", { from: revision + RAISE_REVISION + 1 });
    const next = await put(store, "/k/1", "after");
    expect(next).toBe(revision + RAISE_REVISION + 1);
    expect((await take(watch, 1))[0]!.revision).toBe(next);
    expect(shown([(await store.get("/k/1")).entry])).toEqual(["/k/1=after"]);
    await store.close();
    expect((await checkLmdb(target)).problems).toEqual([]);
  });

  test("is never written over something, nor restored over a store", async () => {
    const { directory, file } = await withBackup();
    const before = readFileSync(file);
    expect(await codeOf(backupLmdb(directory, file))).toBe("exists");
    expect(await codeOf(restoreLmdb(file, directory))).toBe("exists");
    expect(readFileSync(file).equals(before)).toBe(true);
    const target = freshDirectory();
    const both = await Promise.all([codeOf(restoreLmdb(file, target)), codeOf(restoreLmdb(file, target))]);
    expect(both.sort()).toEqual(["exists", "none"]);
    expect((await checkLmdb(target)).keys).toBe(10);
  });

  test("of a missing store, or to a missing directory", async () => {
    const { directory, folder, file } = await withBackup();
    expect(await codeOf(backupLmdb(join(folder, "no-store"), join(folder, "other")))).toBe("absent");
    expect(await codeOf(backupLmdb(directory, join(folder, "no", "folder")))).toBe("unavailable");
    expect(await codeOf(restoreLmdb(join(folder, "no-file"), freshDirectory()))).toBe("absent");
    expect(await codeOf(checkLmdb(join(folder, "no-store")))).toBe("absent");
    writeFileSync(join(folder, "file"), "");
    expect(await codeOf(restoreLmdb(file, join(folder, "file")))).toBe("unavailable");
    expect(readdirSync(folder).sort()).toEqual(["backup", "file"]);
  });

  test("that was truncated, changed, of another program or format is not restored", async () => {
    const { folder, file } = await withBackup();
    const whole = readFileSync(file);
    const changed = Buffer.from(whole);
    changed[whole.indexOf("39 xxx") + 500] = 0x79;
    const old = Buffer.alloc(8_192);
    old.writeUInt32LE(0xbeefc0de, 16);
    const broken = join(folder, "broken");
    for (const [code, content] of [
      ["corrupt", whole.subarray(0, whole.length - 4_096)],
      ["corrupt", whole.subarray(0, 4_096 * 3)],
      ["foreign", whole.subarray(0, 100)],
      ["corrupt", changed],
      ["foreign", Buffer.from("hello")],
      ["absent", Buffer.alloc(0)],
      ["format", old],
      ["format", await ofFormat(99)],
    ] as const) {
      writeFileSync(broken, content);
      const target = join(freshDirectory(), "new");
      expect(await codeOf(restoreLmdb(broken, target))).toBe(code);
      expect(existsSync(target)).toBe(false);
      expect(readFileSync(broken).equals(content)).toBe(true);
    }
    expect(readdirSync(folder).sort()).toEqual(["backup", "broken"]);
  });

  test("of a damaged store is an error, and no file", async () => {
    const { directory, folder } = await withBackup();
    const data = join(directory, "data.mdb");
    const content = readFileSync(data);
    content[content.indexOf("39 xxx") + 500] = 0x79;
    writeFileSync(data, content);
    expect(await codeOf(backupLmdb(directory, join(folder, "damaged")))).toBe("corrupt");
    truncateSync(data, 4_096 * 3);
    expect(await codeOf(backupLmdb(directory, join(folder, "truncated")))).toBe("corrupt");
    expect(readdirSync(folder)).toEqual(["backup"]);
  });

  test("is checked and restored from where nothing can be written", async () => {
    const { folder, file } = await withBackup();
    chmodSync(file, 0o400);
    chmodSync(folder, 0o500);
    expect((await checkLmdb(file, { file: true })).problems).toEqual([]);
    expect((await restoreLmdb(file, freshDirectory())).keys).toBe(10);
    expect(readdirSync(folder)).toEqual(["backup"]);
    chmodSync(folder, 0o700);
  });
});

/** A store that says it has another format. */
async function ofFormat(format: number): Promise<Buffer> {
  const directory = freshDirectory();
  await (await openLmdb(directory)).close();
  const root = openRoot(directory);
  const meta = root.openDB<Uint8Array, Uint8Array>({ name: "meta", encoding: "binary", keyEncoding: "binary" });
  await meta.put(bytes("format"), bytes(`celadon ${format}`));
  await root.close();
  return readFileSync(join(directory, "data.mdb"));
}

describe("a file that is replaced by a shorter one", () => {
  /** A store whose file is mostly free after a compaction. */
  async function grown(directory: string) {
    const store = await openLmdb(directory, { shrinkBytes: 100_000 });
    await Promise.all(Array.from({ length: 500 }, (_, i) => put(store, `/k/${i % 10}`, "x".repeat(3_000))));
    return store;
  }
  const sizeOf = (directory: string): number => statSync(join(directory, "data.mdb")).size;

  test("waits for those who use it", async () => {
    const directory = freshDirectory();
    const store = await grown(directory);
    const before = sizeOf(directory);
    await whilePresent(directory, async () => store.compact(await store.revision()));
    expect(sizeOf(directory)).toBeGreaterThanOrEqual(before);
    await put(store, "/k/0", "x".repeat(3_000));
    await store.compact(await store.revision());
    expect(sizeOf(directory)).toBeLessThan(before / 2);
    await store.close();
    expect(readdirSync(directory).sort()).toEqual(["data.mdb", "lock.mdb", "owner.mdb", "owner.mdb-lock"]);
  });

  test("keeps those out who come meanwhile; marks of ended processes do not count", async () => {
    const directory = freshDirectory();
    const store = await grown(directory);
    const ended = spawn(process.execPath, ["-e", ""]);
    await new Promise((resolve) => ended.once("exit", resolve));
    writeFileSync(join(directory, `present-${ended.pid}-0`), "");
    writeFileSync(join(directory, `replacing-${ended.pid}-0`), "");
    const folder = freshDirectory();
    const before = sizeOf(directory);
    await store.compact(await store.revision());
    expect(sizeOf(directory)).toBeLessThan(before / 2);
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 300 }, (_, i) => put(store, `/k/${i % 10}`, "x".repeat(3_000))));
      const [, { keys }] = await Promise.all([
        store.compact(await store.revision()),
        backupLmdb(directory, join(folder, String(round))),
      ]);
      expect(keys).toBe(10);
    }
    await store.close();
    expect((await checkLmdb(directory)).problems).toEqual([]);
    expect(readdirSync(directory).sort()).toEqual(["data.mdb", "lock.mdb", "owner.mdb", "owner.mdb-lock"]);
  });
});

const disk = smallDisk();
describe.skipIf(disk === undefined)("a small disk (skipped where none can be mounted)", () => {
  test("full or read-only: an error, and no file is left", async () => {
    const { directory, file } = await withBackup();
    const before = readdirSync(disk!);
    await readOnly(disk!, async () => {
      expect(await codeOf(backupLmdb(directory, join(disk!, "backup")))).toBe("denied");
      expect(await codeOf(restoreLmdb(file, join(disk!, "store")))).toBe("denied");
    });
    writeFileSync(join(disk!, "more"), Buffer.alloc(6_250_000));
    expect(await codeOf(backupLmdb(directory, join(disk!, "backup")))).toBe("no_space");
    expect(await codeOf(restoreLmdb(file, join(disk!, "data/store")))).toBe("no_space");
    expect(readdirSync(disk!).filter((name) => name !== "more")).toEqual(before);
  });

  test("a store on a read-only disk is checked and copied", async () => {
    const { directory, folder, file } = await withBackup();
    const there = join(disk!, "kept");
    mkdirSync(there);
    for (const name of readdirSync(disk!)) if (name === "more") writeFileSync(join(disk!, name), "");
    copyFileSync(file, join(there, "data.mdb"));
    await readOnly(disk!, async () => {
      expect((await checkLmdb(there)).problems).toEqual([]);
      expect((await backupLmdb(there, join(folder, "copy"))).keys).toBe(10);
    });
    expect((await checkLmdb(directory)).problems).toEqual([]);
  });
});
