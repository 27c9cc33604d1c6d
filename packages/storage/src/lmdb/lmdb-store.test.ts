// The embedded store: the contract, and its own behaviour — opening again, owning a directory, damaged files, full disks.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { describe, expect, test, vi } from "vitest";
import { storageContract } from "../contract/contract.testing.ts";
import { bytes, codeOf, del, put, shown, shownChange, take, text } from "../contract/texts.testing.ts";
import type { Store } from "../index.ts";
import { freshDirectory } from "./directory.testing.ts";
import { openRoot } from "./environment.ts";
import { checkLmdb, openLmdb } from "./index.ts";
import { readDataFile } from "./meta-page.ts";
import { readOnly, smallDisk } from "./small-disk.testing.ts";

const directories = new Map<Store, string>();

storageContract("LMDB", {
  open: () => openIn(freshDirectory()),
  reopen: async (store) => {
    await store.close();
    return openIn(directories.get(store)!);
  },
  randomRuns: 20,
});

async function openIn(directory: string): Promise<Store> {
  const store = await openLmdb(directory, { shrinkBytes: 4_096 });
  directories.set(store, directory);
  return store;
}

/** Some entries, history and a deletion. */
async function filled(directory: string): Promise<number> {
  const store = await openLmdb(directory);
  for (let i = 0; i < 50; i++) await put(store, `/k/${i % 20}`, `${i} ${"x".repeat(3_000)}`);
  const revision = await del(store, "/k/3");
  await store.close();
  return revision;
}

/** Bytes of the file up to its last page; the rest is reserved for new pages. */
function bytesInUse(file: string): number {
  const found = readDataFile(file);
  return found.kind === "data" ? Number(found.meta.lastPage + 1n) * found.meta.pageSize : 0;
}

describe("opening again", () => {
  test("keys, history, revisions and TTLs go on", async () => {
    const directory = freshDirectory();
    const first = await openLmdb(directory);
    const created = await put(first, "/a", "1");
    await put(first, "/a", "2");
    await first.write([{ op: "put", key: "/gone", value: bytes("soon"), ttl: 1 }]);
    await first.close();
    const again = await openLmdb(directory);
    expect(await again.revision()).toBe(created + 2);
    expect(shown([(await again.get("/a", { revision: created })).entry])).toEqual(["/a=1"]);
    const watch = again.watch("/", { from: created, previous: true });
    const batches = await take(watch, 4);
    expect(batches.flatMap((batch) => batch.changes.map(shownChange))).toEqual([
      "/a=1",
      "/a=2 was 1",
      "/gone=soon",
      "/gone deleted was soon",
    ]);
    expect(await put(again, "/a", "3")).toBe(created + 4);
    expect((await again.count("/")).count).toBe(1);
    await again.close();
    expect((await checkLmdb(directory)).problems).toEqual([]);
  });

  test("a compaction that was interrupted is finished", async () => {
    const directory = freshDirectory();
    const store = await openLmdb(directory);
    for (let i = 0; i < 3_000; i += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, j) => put(store, `/k/${(i + j) % 10}`, "v")));
    }
    const revision = await store.revision();
    const compacting = store.compact(revision);
    await store.close();
    await compacting.catch(() => undefined);
    const again = await openLmdb(directory);
    await again.compact(revision);
    await again.close();
    expect(await checkLmdb(directory)).toMatchObject({ problems: [], keys: 10, versions: 10 });
  });
});

test("keys may come due while the file is replaced", async () => {
  const directory = freshDirectory();
  let due = (): void => {};
  const clock = {
    now: () => Date.now(),
    after: (_: number, call: () => void) => {
      due = call;
      return () => undefined;
    },
  };
  const store = await openLmdb(directory, { shrinkBytes: 4_096, clock });
  await store.write([{ op: "put", key: "/event", value: bytes("x"), ttl: 3_600 }]);
  for (let i = 0; i < 20; i++) await put(store, "/big", "x".repeat(100_000));
  const before = statSync(join(directory, "data.mdb")).ino;
  let isOver = false;
  const compacting = store.compact(await store.revision()).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    due();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await compacting;
  expect(statSync(join(directory, "data.mdb")).ino).not.toBe(before);
  expect((await store.get("/event")).entry).toBeDefined();
  await store.close();
});

describe("one owner", () => {
  test("a directory open in this process", async () => {
    const directory = freshDirectory();
    const store = await openLmdb(directory);
    expect(await codeOf(openLmdb(directory))).toBe("in_use");
    expect(await codeOf(openLmdb(`${directory}/../${directory.split("/").at(-1)}`))).toBe("in_use");
    await put(store, "/a", "1");
    expect(await codeOf(openLmdb(directory))).toBe("in_use");
    await store.close();
    await (await openLmdb(directory)).close();
  });

  test("a directory open in another process, until that is killed", async () => {
    const directory = freshDirectory();
    await filled(directory);
    const child = await hold(directory);
    expect(await codeOf(openLmdb(directory))).toBe("in_use");
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    await (await openLmdb(directory)).close();
  });
});

const apart = ["unshare", "--pid", "--fork", "--kill-child"];
const isApart = spawnSync(apart[0]!, [...apart.slice(1), "true"]).status === 0;

test.skipIf(!isApart)(
  "a process of another container that has the same id is told at once (Linux, as root)",
  async () => {
    const directory = freshDirectory();
    await filled(directory);
    const [first, second] = [await hold(directory, apart), await hold(directory, apart)];
    expect([first.says, second.says]).toEqual(["1 open", "1 in_use"]);
    first.kill("SIGKILL");
    second.kill("SIGKILL");
  },
);

/** A process with the store of a directory open, which has written to it and read nothing since. */
async function hold(directory: string, before: readonly string[] = []): Promise<ChildProcess & { says: string }> {
  const source = `
    import { openLmdb } from "./index.ts";
    const hold = async () => {
      const store = await openLmdb(process.argv[1]);
      await store.write([{ op: "put", key: "/held", value: new Uint8Array(1) }]);
      setTimeout(() => console.log(process.pid, "open"), 50);
    };
    hold().catch((error) => console.log(process.pid, error.code));
    setInterval(() => {}, 1000);`;
  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  const { outputFiles } = buildSync({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL(".", import.meta.url)), loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    external: ["lmdb"],
  });
  const [program = "", ...args] = [...before, process.execPath, "-e", outputFiles[0]!.text, directory];
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_PATH: join(root, "node_modules") },
  });
  const says = await new Promise((resolve) => child.stdout.once("data", resolve));
  return Object.assign(child, { says: String(says).trim() });
}

describe("files", () => {
  test("a truncated file is an error and stays as it is", async () => {
    const directory = freshDirectory();
    await filled(directory);
    const file = join(directory, "data.mdb");
    const whole = bytesInUse(file);
    for (const size of [whole - 4_096 * 3, 4_096 * 8, 4_096 * 2, 5_000, 100]) {
      truncateSync(file, size);
      expect(["corrupt", "foreign"]).toContain(await codeOf(openLmdb(directory)));
      expect(statSync(file).size).toBe(size);
    }
  });

  test("a file that ends before free pages is not damaged", async () => {
    const directory = freshDirectory();
    const store = await openLmdb(directory);
    await put(store, "/big", "x".repeat(1_000_000));
    await del(store, "/big");
    const revision = await store.revision();
    await store.compact(revision);
    await store.close();
    // Without the reserve for new pages.
    truncateSync(join(directory, "data.mdb"), bytesInUse(join(directory, "data.mdb")));
    const again = await openLmdb(directory);
    expect(await again.revision()).toBe(revision);
    await again.close();
  });

  test("other files and other formats are errors and stay as they are", async () => {
    const directory = freshDirectory();
    const file = join(directory, "data.mdb");
    const old = Buffer.alloc(8_192);
    old.writeUInt32LE(0xbeefc0de, 16);
    for (const [code, content] of [
      ["foreign", Buffer.from("hello")],
      ["foreign", Buffer.alloc(100_000, 7)],
      ["format", old],
    ] as const) {
      writeFileSync(file, content);
      expect(await codeOf(openLmdb(directory))).toBe(code);
      expect(readFileSync(file).equals(content)).toBe(true);
    }
  });

  test("another program's LMDB", async () => {
    const directory = freshDirectory();
    const root = openRoot(directory);
    const table = root.openDB<Uint8Array, Uint8Array>({ name: "theirs", encoding: "binary", keyEncoding: "binary" });
    await table.put(bytes("a"), bytes("b"));
    await root.close();
    expect(await codeOf(openLmdb(directory))).toBe("foreign");
  });

  test("a format of another version", async () => {
    const directory = freshDirectory();
    await filled(directory);
    const root = openRoot(directory);
    const meta = root.openDB<Uint8Array, Uint8Array>({ name: "meta", encoding: "binary", keyEncoding: "binary" });
    await meta.put(bytes("format"), bytes("celadon 99"));
    await root.close();
    const failure = await openLmdb(directory).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "format" });
    expect(String(failure)).toContain("format 99");
  });

  test("a file in place of the directory", async () => {
    const path = join(freshDirectory(), "file");
    writeFileSync(path, "x");
    expect(await codeOf(openLmdb(path))).toBe("unavailable");
  });

  test("damage inside the file is found by a check", async () => {
    const directory = freshDirectory();
    await filled(directory);
    const file = join(directory, "data.mdb");
    const content = readFileSync(file);
    const at = content.indexOf(`49 ${"x".repeat(100)}`);
    const descriptor = openSync(file, "r+");
    writeSync(descriptor, "y", at + 1_000);
    expect((await checkLmdb(directory)).problems).toEqual([expect.stringMatching(/^version 51\.0 is damaged$/)]);
  });
});

describe("space", () => {
  test("the file is longer than its used part, before writes need it", async () => {
    const directory = freshDirectory();
    const file = join(directory, "data.mdb");
    const store = await openLmdb(directory);
    for (let i = 0; i < 40; i++) {
      await put(store, `/k/${i}`, "x".repeat(50_000));
      expect(statSync(file).size).toBeGreaterThan(bytesInUse(file));
    }
    await store.close();
    expect(await checkLmdb(directory)).toMatchObject({ problems: [], keys: 40 });
  });

  test("with too little left, data is not added, and deleted and compacted still", async () => {
    const directory = freshDirectory();
    const revision = await filled(directory);
    const store = await openLmdb(directory, { minFreeBytes: Number.MAX_SAFE_INTEGER });
    expect(await codeOf(put(store, "/k/new", "v"))).toBe("no_space");
    expect(await store.revision()).toBe(revision);
    expect(await del(store, "/k/1")).toBe(revision + 1);
    await store.compact(revision + 1);
    expect((await store.count("/k/")).count).toBe(18);
    await store.close();
    expect((await checkLmdb(directory)).problems).toEqual([]);
  });

  test("compaction gives it back", async () => {
    const directory = freshDirectory();
    const store = await openLmdb(directory, { shrinkBytes: 100_000 });
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => put(store, `/k/${i % 10}`, "x".repeat(3_000))));
    const before = statSync(join(directory, "data.mdb")).size;
    const reads = Array.from({ length: 50 }, (_, i) => store.get(`/k/${i % 10}`));
    const revision = await store.revision();
    const writes = put(store, "/k/0", "while it shrinks");
    await Promise.all([store.compact(revision), ...reads, writes]);
    expect(statSync(join(directory, "data.mdb")).size).toBeLessThan(before / 4);
    expect(text((await store.get("/k/0")).entry!.value)).toBe("while it shrinks");
    expect(await put(store, "/k/1", "after")).toBe(revision + 2);
    await store.close();
    expect(await checkLmdb(directory)).toMatchObject({ problems: [], keys: 10 });
  });
});

const disk = smallDisk();
describe.skipIf(disk === undefined)("a small disk (skipped where none can be mounted)", () => {
  test("full: the write fails, nothing is lost, and writes succeed again when there is space", async () => {
    const directory = join(disk!, "full");
    const store = await openLmdb(directory, { minFreeBytes: 0 });
    // The lmdb package prints the errors that it throws.
    const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const acknowledged: string[] = [];
    let code = "none";
    for (let i = 0; code === "none"; i++) {
      code = await codeOf(put(store, `/k/${i}`, "x".repeat(50_000)));
      if (code === "none") acknowledged.push(`/k/${i}`);
    }
    printed.mockRestore();
    expect(code).toBe("no_space");
    expect(acknowledged.length).toBeGreaterThan(10);
    expect((await store.list("/k/")).entries.map(({ key }) => key).sort()).toEqual(acknowledged.sort());
    rmSync(join(disk!, "filler"));
    await put(store, "/k/after", "space again");
    await store.close();
    expect(await checkLmdb(directory)).toMatchObject({ problems: [], keys: acknowledged.length + 1 });
  });

  test("read-only: an error that says so", async () => {
    const directory = join(disk!, "read-only");
    mkdirSync(directory);
    const source = freshDirectory();
    await filled(source);
    copyFileSync(join(source, "data.mdb"), join(directory, "data.mdb"));
    await readOnly(disk!, async () => {
      expect(await codeOf(openLmdb(directory))).toBe("denied");
      expect(await codeOf(openLmdb(join(disk!, "new")))).toBe("denied");
    });
  });
});

// Making a directory below procfs with Node's own recursive way never ends.
test.skipIf(!existsSync("/proc/version"))("a directory that cannot be made", async () => {
  await expect(openLmdb("/proc/none/store")).rejects.toThrow(/proc\/none/);
});
