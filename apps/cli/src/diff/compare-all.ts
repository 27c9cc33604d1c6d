// Sends every object and request through both simulated clusters, and keeps the changes.

import type { ClusterPair } from "@celadon/simulator/diff";
import type { ReviewSubject } from "../review/subjects.ts";
import type { Owners } from "./owners.ts";
import { type DiffRow, rowOf } from "./row.ts";

export interface CompareOptions {
  readonly signal: AbortSignal;
  readonly owners: Owners;
  onProgress(done: number, all: number): void;
}

const PAUSE_EVERY = 256;

export async function compareAll(
  pair: ClusterPair,
  asked: readonly ReviewSubject[],
  options: CompareOptions,
): Promise<readonly DiffRow[]> {
  const rows: DiffRow[] = [];
  await inTurn(asked, options, async (item) => {
    const { request, change } = await pair.compare(item);
    if (change !== undefined)
      rows.push(rowOf(item.manifest, request, change, options.owners.ownerOf(item.manifest.object)));
  });
  return rows;
}

/** One after the other, with pauses in which a signal can arrive. */
export async function inTurn(
  asked: readonly ReviewSubject[],
  { signal, onProgress }: Pick<CompareOptions, "signal" | "onProgress">,
  each: (item: ReviewSubject) => Promise<void>,
): Promise<void> {
  for (const [i, value] of asked.entries()) {
    await each(value);
    if (i % PAUSE_EVERY !== PAUSE_EVERY - 1) continue;
    onProgress(i + 1, asked.length);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
}
