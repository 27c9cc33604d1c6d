// A store whose file is damaged at random: the report of `check`, and the fate of a program that uses it.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isStoreError, type Store } from "@celadon/storage";
import { checkLmdb, openLmdb } from "@celadon/storage/lmdb";
import type { Random } from "../random.ts";

const PAGE = 4_096;

/** A store with values of many sizes, history, deletions and TTLs. */
export async function fillStore(directory: string): Promise<void> {
  const store = await openLmdb(directory);
  for (let i = 0; i < 300; i++) {
    const value = Buffer.from(`${i} ${"x".repeat((i * 37) % 5_000)}`);
    await store.write([{ op: "put", key: `/k/${i % 70}`, value, ...(i % 9 === 0 && { ttl: 1_000 }) }]);
  }
  await store.write([{ op: "delete", key: "/k/3" }]);
  await store.close();
}

/** The ways in which a file is damaged, each at a random place. */
const damages: readonly ((bytes: Buffer, random: Random) => Buffer)[] = [
  (bytes, random) => scatter(bytes, random, 0, bytes.length),
  // the head of a page
  (bytes, random) => scatter(bytes, random, pageOf(bytes, random), 64),
  // the head of the file
  (bytes, random) => scatter(bytes, random, random(2) * PAGE, 200),
  // a page lost
  (bytes, random) => {
    const page = pageOf(bytes, random);
    return bytes.fill(random(2) === 0 ? 0 : 255, page, page + PAGE);
  },
  // a page in the place of another
  (bytes, random) => {
    const from = pageOf(bytes, random);
    bytes.copy(bytes, pageOf(bytes, random), from, from + PAGE);
    return bytes;
  },
  // a place within a page that another is written to
  (bytes, random) => {
    bytes.writeUInt16LE(random(65_536), pageOf(bytes, random) + 24 + 2 * random(40));
    return bytes;
  },
  (bytes, random) => bytes.subarray(0, random(bytes.length)),
];

function pageOf(bytes: Buffer, random: Random): number {
  return random(bytes.length / PAGE) * PAGE;
}

function scatter(bytes: Buffer, random: Random, start: number, length: number): Buffer {
  for (let n = 1 + random(8); n > 0; n--) bytes[start + random(length)] = random(256);
  return bytes;
}

export type Outcome = "refused" | "read" | `problem: ${string}`;

export interface Tried {
  readonly check: "damaged" | "sound" | `problem: ${string}`;
  readonly use: Outcome;
}

/** Damages a copy, checks it and uses it. */
export async function tryDamaged(content: Buffer, directory: string, random: Random): Promise<Tried> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  try {
    writeFileSync(join(directory, "data.mdb"), damages[random(damages.length)]!(Buffer.from(content), random));
    const check = await checked(directory);
    const use = await used(directory);
    if (check === "sound" && use !== "read") return { check, use: `problem: sound, and ${use}` };
    return { check, use };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function checked(directory: string): Promise<Tried["check"]> {
  try {
    return (await checkLmdb(directory)).problems.length > 0 ? "damaged" : "sound";
  } catch (error) {
    return isDamage(error) ? "damaged" : `problem: ${String(error)}`;
  }
}

/** Reads everything, its history too, writes and compacts. */
async function used(directory: string): Promise<Outcome> {
  let store: Store | undefined;
  try {
    store = await openLmdb(directory);
    await store.list("");
    await store.count("/k/");
    const head = await store.revision();
    for await (const notice of store.watch("", { from: 2, previous: true })) if (notice.revision >= head) break;
    await store.write([{ op: "put", key: "/k/new", value: Buffer.alloc(5_000) }]);
    await store.compact(await store.revision());
    return "read";
  } catch (error) {
    return isDamage(error) ? "refused" : `problem: ${String(error)}`;
  } finally {
    await store?.close();
  }
}

function isDamage(error: unknown): boolean {
  return isStoreError(error) && ["corrupt", "foreign", "format", "absent"].includes(error.code);
}
