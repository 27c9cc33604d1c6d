// Texts as values, and what tests say often.

import { expect } from "vitest";
import type { Change, Changes, Entry, Notice, Revision, Store, TransactionResult, Watch } from "../index.ts";

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function text(value: Uint8Array): string {
  return new TextDecoder().decode(value);
}

/** Writes without condition; the revision. */
export async function put(store: Store, key: string, value: string): Promise<Revision> {
  return revisionOf(await store.write([{ op: "put", key, value: bytes(value) }]));
}

export async function del(store: Store, key: string): Promise<Revision> {
  return revisionOf(await store.write([{ op: "delete", key }]));
}

export function revisionOf(written: TransactionResult): Revision {
  expect(written.written).toBe(true);
  return written.revision;
}

/** `key=value` of every entry. */
export function shown(entries: readonly (Entry | undefined)[]): string[] {
  return entries.map((entry) => (entry === undefined ? "-" : `${entry.key}=${text(entry.value)}`));
}

export function shownChange(change: Change): string {
  const before = change.previous === undefined ? "" : ` was ${text(change.previous.value)}`;
  return change.type === "put"
    ? `${change.key}=${text(change.entry.value)}${before}`
    : `${change.key} deleted${before}`;
}

/** The next notices until so many batches of changes are among them. */
export async function take(watch: Watch, batches: number): Promise<Changes[]> {
  const taken: Changes[] = [];
  while (taken.length < batches) {
    const notice = await nextNotice(watch);
    if (notice.type === "changes") taken.push(notice);
  }
  return taken;
}

export async function nextNotice(watch: Watch): Promise<Notice> {
  const next = await watch.next();
  if (next.done) throw new Error("the watch has ended");
  return next.value;
}

export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  return "none";
}
