// The hub: its queue for slow watchers, their continuation, and progress notices.

import { expect, test } from "vitest";
import { nextNotice } from "../contract/texts.testing.ts";
import { StoreError } from "../error.ts";
import type { Changes, Watch } from "../store.ts";
import { Hub, type HubOptions } from "./hub.ts";

/** A hub over a log that can be read from a revision on, in parts of three. */
class Source {
  readonly log: Changes[] = [];
  readonly hub: Hub;
  compacted = 0;
  reads = 0;

  constructor(options: HubOptions = {}) {
    this.hub = new Hub(0, (prefix, after) => this.#past(prefix, after), options);
  }

  publish(...keys: string[]): void {
    const revision = this.log.length + 1;
    const changes = keys.map((key) => ({
      type: "put" as const,
      key,
      entry: { key, value: new Uint8Array(100), createRevision: revision, modRevision: revision, version: 1 },
    }));
    const batch: Changes = { type: "changes", revision, changes };
    this.log.push(batch);
    this.hub.publish(batch);
  }

  #past(prefix: string, after: number) {
    this.reads += 1;
    if (after < this.compacted) throw new StoreError("compacted", "gone");
    const part = this.log.slice(after, after + 3);
    const batches = part.flatMap((batch) => {
      const changes = batch.changes.filter(({ key }) => key.startsWith(prefix));
      return changes.length === 0 ? [] : [{ ...batch, changes }];
    });
    return { batches, through: part.at(-1)?.revision ?? this.log.length };
  }
}

async function notices(watch: Watch, count: number): Promise<string[]> {
  const seen: string[] = [];
  while (seen.length < count) {
    const notice = await nextNotice(watch);
    seen.push(notice.type === "changes" ? String(notice.revision) : `${notice.type} ${notice.revision}`);
  }
  return seen;
}

test("who keeps up reads no history", async () => {
  const source = new Source();
  const watch = source.hub.watch("/");
  for (let i = 0; i < 5; i++) source.publish("/a");
  expect(await notices(watch, 5)).toEqual(["1", "2", "3", "4", "5"]);
  expect(source.reads).toBe(0);
});

test("a watcher that falls behind continues from history, without a gap", async () => {
  const source = new Source({ maxQueuedChanges: 5 });
  const slow = source.hub.watch("/a");
  const fast = source.hub.watch("/a");
  source.publish("/a");
  expect(await notices(slow, 1)).toEqual(["1"]);
  const seenFast: string[] = [];
  for (let i = 0; i < 10; i++) {
    source.publish(i % 2 === 0 ? "/a" : "/b");
    if (i === 0) seenFast.push(...(await notices(fast, 2)));
    else if (i % 2 === 0) seenFast.push(...(await notices(fast, 1)));
  }
  expect(seenFast).toEqual(["1", "2", "4", "6", "8", "10"]);
  expect(await notices(slow, 5)).toEqual(["2", "4", "6", "8", "10"]);
  for (let i = 0; i < 10; i++) source.publish("/a");
  expect(await notices(slow, 11)).toEqual(["behind 10", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21"]);
  source.publish("/a");
  expect(await notices(slow, 1)).toEqual(["22"]);
});

test("bytes are bounded as well as changes", async () => {
  const source = new Source({ maxQueuedBytes: 350 });
  const watch = source.hub.watch("");
  for (let i = 0; i < 10; i++) source.publish("/a");
  expect((await notices(watch, 11))[0]).toBe("behind 0");
});

test("who falls behind a compaction ends with it", async () => {
  const source = new Source({ maxQueuedChanges: 2 });
  const watch = source.hub.watch("/");
  for (let i = 0; i < 10; i++) source.publish("/a");
  source.compacted = 5;
  expect(await notices(watch, 1)).toEqual(["behind 0"]);
  await expect(watch.next()).rejects.toMatchObject({ code: "compacted" });
  await expect(watch.next()).rejects.toMatchObject({ code: "compacted" });
});

test("progress comes behind waiting events, on request and from time to time", async () => {
  const timers: (() => void)[] = [];
  const clock = {
    now: () => 0,
    after: (_: number, call: () => void) => {
      timers.push(call);
      return () => undefined;
    },
  };
  const source = new Source({ clock });
  const watch = source.hub.watch("/a", { progress: true });
  const other = source.hub.watch("/a");
  source.publish("/a");
  source.publish("/b");
  source.hub.requestProgress();
  expect(await notices(watch, 2)).toEqual(["1", "progress 2"]);
  source.publish("/b");
  timers.shift()!();
  expect(await notices(watch, 1)).toEqual(["progress 3"]);
  expect(timers).toHaveLength(1);
  source.publish("/a");
  expect(await notices(other, 2)).toEqual(["1", "4"]);
});

test("a watch from the past joins the queue once it has caught up", async () => {
  const source = new Source();
  for (let i = 0; i < 7; i++) source.publish("/a");
  const watch = source.hub.watch("/", { from: 3 });
  expect(await notices(watch, 5)).toEqual(["3", "4", "5", "6", "7"]);
  const reads = source.reads;
  const next = notices(watch, 2);
  await Promise.resolve();
  source.publish("/a");
  source.publish("/a");
  expect(await next).toEqual(["8", "9"]);
  expect(source.reads).toBe(reads);
});

test("a transaction is split by prefix and stays whole within it", async () => {
  const source = new Source();
  const all = source.hub.watch("");
  const some = source.hub.watch("/a/");
  const item = source.hub.watch("/a/1");
  source.publish("/a/1", "/b/1", "/a/2");
  const keys = async (watch: Watch): Promise<string[]> => {
    const notice = await nextNotice(watch);
    return notice.type === "changes" ? notice.changes.map(({ key }) => key) : [];
  };
  expect(await Promise.all([all, some, item].map(keys))).toEqual([
    ["/a/1", "/b/1", "/a/2"],
    ["/a/1", "/a/2"],
    ["/a/1"],
  ]);
  all.close();
  some.close();
  item.close();
  expect(source.hub.watched).toBe(false);
});
