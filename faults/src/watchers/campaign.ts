// Watch completeness: many watchers, many writes, watchers that disconnect at random moments and go on where they were, and some that
// are slow. Each must see every change of its prefix once and in order.

import type { Store } from "@celadon/storage";
import { type CampaignOptions, type CampaignReport, Findings, pause } from "../campaign.ts";
import { seeded } from "../random.ts";

export interface WatchersOptions extends CampaignOptions {
  readonly watchers: number;
  readonly writes: number;
}

export interface WatchersReport extends CampaignReport {
  readonly watchers: number;
  readonly writes: number;
  readonly deliveries: number;
  readonly disconnects: number;
  /** The number of times a watcher was too slow and resumed from history. */
  readonly behind: number;
  readonly seconds: number;
  readonly deliveriesPerSecond: number;
  readonly heapMegabytes: number;
}

const WRITERS = 100;
const VALUE_BYTES = 200;
/** Half of the watchers watch everything, the others one of four kinds. */
const KINDS = ["/pods/", "/services/", "/secrets/", "/events/"];
/** The approximate maximum number of writes ahead of the watchers. */
const LEAD = 300;
/** A watcher disconnects after this many changes on average. */
const PATIENCE = 2_000;

export async function watchersCampaign(store: Store, options: WatchersOptions): Promise<WatchersReport> {
  const { watchers, writes } = options;
  const from = (await store.revision()) + 1;
  const random = seeded(options.seed);
  const value = Buffer.alloc(VALUE_BYTES, "v");
  /** The kind written at each revision, from the first on. */
  const written: string[] = [];
  const findings = new Findings();
  let deliveries = 0;
  let disconnects = 0;
  let behind = 0;
  let next = 0;

  /** The number of pauses of a slow watcher, and their greatest length in milliseconds: long enough for queues to overflow. */
  const slowness = Math.ceil(writes / 3);

  /** Writers wait for the watchers as a group, so that only slow ones fall behind. */
  const perWrite = (watchers / 2) * (1 + 1 / KINDS.length);
  const isAhead = (): boolean => deliveries < (next - LEAD) * perWrite * 0.9;

  const write = async (): Promise<void> => {
    while (next < writes) {
      if (isAhead()) {
        await pause(1);
        continue;
      }
      const kind = KINDS[next++ % KINDS.length]!;
      const { revision } = await store.write([{ op: "put", key: `${kind}${random(500)}`, value }]);
      written[revision - from] = kind;
    }
  };

  const watch = async (id: number): Promise<void> => {
    const prefix = id % 2 === 0 ? "/" : KINDS[(id >> 1) % KINDS.length]!;
    const isSlow = id % 50 === 7;
    const own = seeded(options.seed + id + 1);
    let seen = from - 1;
    const end = from + writes - 1;
    while (seen < end) {
      const watching = store.watch(prefix, { from: seen + 1, progress: true });
      for await (const notice of watching) {
        if (notice.type === "behind") behind += 1;
        if (notice.type === "progress" && notice.revision >= end) {
          checkGap(id, prefix, seen, end + 1);
          seen = end;
        }
        if (notice.type === "changes") {
          deliveries += 1;
          checkGap(id, prefix, seen, notice.revision);
          seen = notice.revision;
          if (isSlow && own(slowness) === 0) await pause(own(slowness));
        }
        if (seen >= end) break;
        if (own(PATIENCE) === 0) {
          disconnects += 1;
          break;
        }
      }
    }
  };

  /** Between two consecutive changes that a watcher saw, no other change under its prefix is allowed. */
  const gaps: { id: number; prefix: string; after: number; before: number }[] = [];
  const checkGap = (id: number, prefix: string, after: number, before: number): void => {
    if (before <= after) findings.problem(`watcher ${id} saw revision ${before} after ${after}`);
    if (prefix === "/" && before <= from + writes - 1 && before !== after + 1) {
      findings.problem(`watcher ${id} saw nothing between revision ${after} and ${before}`);
    }
    // The number of writes of other kinds is certain only at the end.
    if (prefix !== "/" && before - after > 1) gaps.push({ id, prefix, after, before });
  };

  const started = performance.now();
  const all = Array.from({ length: watchers }, (_, id) => watch(id));
  await Promise.all(Array.from({ length: WRITERS }, write));
  await store.requestProgress();
  const nudge = setInterval(() => void store.requestProgress().catch(() => undefined), 500);
  await Promise.all(all);
  clearInterval(nudge);
  const seconds = (performance.now() - started) / 1000;
  for (const { id, prefix, after, before } of gaps) {
    const missed = written.slice(after + 1 - from, before - from).filter((kind) => kind === prefix).length;
    if (missed > 0) findings.problem(`watcher ${id} missed ${missed} changes between revision ${after} and ${before}`);
  }
  return {
    watchers,
    writes,
    deliveries,
    disconnects,
    behind,
    seconds: round(seconds),
    deliveriesPerSecond: Math.round(deliveries / seconds),
    heapMegabytes: Math.round(process.memoryUsage().heapUsed / 1e6),
    problems: findings.problems,
  };
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
