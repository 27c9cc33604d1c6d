// The program that is killed: node writer.js <directory> <journal> <round> <compact>. Writes as fast as it can until then.

import { openSync, writeSync } from "node:fs";
import type { Store, StoreOperation } from "@celadon/storage";
import { openLmdb } from "@celadon/storage/lmdb";
import { seeded } from "../random.ts";
import { type JournalChange, type JournalLine, writtenValue } from "./journal.ts";

const WRITERS = 16;
const KEYS = 200;

const [directory, journalPath, round, compact] = process.argv.slice(2) as [string, string, string, string];
const journal = openSync(journalPath, "a");
const random = seeded(Number(round));
let next = 0;

const store = await openLmdb(directory, { shrinkBytes: 1_000_000 });
say({ say: "open", revision: await store.revision() });
process.stdout.write("open\n");
if (Number(compact) > 0) void store.compact(Number(compact)).catch(() => undefined);
await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(store, writer)));

async function write(store: Store, writer: number): Promise<never> {
  for (;;) {
    const id = `${round}.${next++}`;
    const changes = changesOf(writer);
    const condition = random(4) === 0 ? await revisionOf(changes[1]?.key) : undefined;
    say({ say: "begin", id, changes });
    const written = await store.write(
      changes.map((change, i) => operation(id, change, i === 1 ? condition : undefined)),
    );
    say({ say: "end", id, written: written.written, revision: written.revision });
  }
}

/** A key unique to the transaction, which identifies it, and some keys that all writers share. */
function changesOf(writer: number): JournalChange[] {
  const keys = new Set(Array.from({ length: random(5) }, () => `/shared/${random(KEYS)}`));
  const mark = { key: `/mark/${writer}`, padding: random(10) };
  return [mark, ...[...keys].map((key) => ({ key, padding: random(4) === 0 ? undefined : random(4_000) }))];
}

async function revisionOf(key: string | undefined): Promise<number | undefined> {
  return key === undefined ? undefined : ((await store.get(key)).entry?.modRevision ?? 0);
}

function operation(id: string, { key, padding }: JournalChange, ifRevision: number | undefined): StoreOperation {
  const condition = ifRevision === undefined ? {} : { ifRevision };
  if (padding === undefined) return { op: "delete", key, ...condition };
  return { op: "put", key, value: Buffer.from(writtenValue(id, padding)), ...condition };
}

function say(line: JournalLine): void {
  writeSync(journal, `${JSON.stringify(line)}\n`);
}
