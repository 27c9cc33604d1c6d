// History for watchers that are not at the end of the feed: a watch of etcd of their own, until the feed has the rest.

import { StoreError } from "../error.ts";
import type { Changes } from "../store.ts";
import type { Past } from "../watch/hub.ts";
import type { Client } from "./client.ts";
import { batchesOf, changesOf } from "./feed.ts";
import type { Keys } from "./keys.ts";
import { WatchStream } from "./watch-stream.ts";

export interface HistoryRequest {
  readonly prefix: string;
  readonly after: number;
  readonly previous: boolean;
  /** The range changed at this revision, so the watch is sure to reach it. */
  readonly until: number;
}

/** About how many changes, and bytes of them, are read at once. */
const MOST_CHANGES = 1_000;
const MOST_BYTES = 8 * 1024 * 1024;
const PAUSE = 200;

/** Reads events after `after`. Tries again while etcd is away; `isOver` ends that. */
export async function readHistory(
  client: Client,
  keys: Keys,
  request: HistoryRequest,
  isOver: () => boolean,
): Promise<Past> {
  for (;;) {
    const past = await attempt(client, keys, request);
    if (!(past instanceof Error)) return past;
    if (past instanceof StoreError && (past.code === "compacted" || past.code === "denied")) throw past;
    if (isOver()) throw new StoreError("closed", "the store is closed", { cause: past });
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/**
 * All keys are watched, though only some are wanted: etcd does not report when a quiet prefix has been read to its end, and the whole
 * range is known to have changed at `until`.
 */
function attempt(client: Client, keys: Keys, request: HistoryRequest): Promise<Past | Error> {
  const { prefix, after, previous, until } = request;
  return new Promise((resolve) => {
    const batches: Changes[] = [];
    let changed = 0;
    let bytes = 0;
    const create = { ...keys.everything, startRevision: after + 1, previous };
    const stream = new WatchStream(client, create, {
      events: (events) => {
        let through = after;
        for (const { revision, events: own } of batchesOf(events)) {
          const changes = changesOf(own, keys, previous).filter(({ key }) => key.startsWith(prefix));
          if (changes.length > 0) batches.push({ type: "changes", revision, changes });
          changed += changes.length;
          if (changes.length > 0) for (const { entry } of own) bytes += entry.value.byteLength;
          through = revision;
        }
        if (through < until && changed < MOST_CHANGES && bytes < MOST_BYTES) return;
        stream.close();
        resolve({ batches, through });
      },
      progress: () => undefined,
      end: resolve,
    });
  });
}
