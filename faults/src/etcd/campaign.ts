// Three etcd members on loopback, two stores over them, one fault after another. Nothing acknowledged may be lost, and every watch
// continues without a gap or reports that history was compacted.

import type { Store } from "@celadon/storage";
import { openEtcd } from "@celadon/storage/etcd";
import { type EtcdMember, etcdCluster } from "@celadon/storage/testing";
import { type CampaignOptions, Findings, pause, until, type WriteReport } from "../campaign.ts";
import { seeded } from "../random.ts";
import { Seer, Writers } from "./clients.ts";
import { faults } from "./faults.ts";

export interface EtcdOptions extends CampaignOptions {
  /** The number of times each fault happens. */
  readonly times: number;
}

export interface EtcdReport extends WriteReport {
  readonly faults: Readonly<Record<string, { times: number; longestOutageMs: number }>>;
  readonly refused: number;
  readonly deliveries: number;
  readonly compactions: number;
  /** The number of times a watch was cancelled because history was compacted. */
  readonly toldCompacted: number;
}

/** Compactions keep this many revisions, so that they affect only watchers that are far behind. */
const KEEP = 2_000;

export async function etcdCampaign(options: EtcdOptions): Promise<EtcdReport> {
  const members = await etcdCluster(3);
  const random = seeded(options.seed);
  for (const member of members) member.start();
  const stores: Store[] = [];
  try {
    await Promise.all(members.map((member) => member.ready()));
    stores.push(await open(members, 0), await open(members, 1));
    const from = (await stores[0]!.revision()) + 1;
    const writers = new Writers();
    const seers = stores.flatMap((store, s) =>
      Array.from(
        { length: 3 },
        (_, i) => new Seer(store, `watcher ${s}.${i}`, from, seeded(options.seed + 10 * s + i), i === 2),
      ),
    );
    for (const [s, store] of stores.entries()) writers.start(store, `w${s}.`, 8, seeded(options.seed + 100 + s));
    const done: Record<string, { times: number; longestOutageMs: number }> = {};
    let compactions = 0;
    for (let round = 0; round < options.times; round++) {
      for (const fault of faults) {
        if (options.signal?.aborted) break;
        writers.takeOutage();
        await fault.run(members, random);
        await Promise.all(members.map((member) => member.ready(60)));
        await pause(2_000);
        const longestOutageMs = Math.max(done[fault.name]?.longestOutageMs ?? 0, writers.takeOutage());
        done[fault.name] = { times: (done[fault.name]?.times ?? 0) + 1, longestOutageMs };
        compactions += await compact(stores[0]!);
        options.progress?.(`${fault.name}: ${writers.noted.length} writes, ${seers[0]!.seen.length} seen`);
      }
    }
    await writers.stop();
    const head = await stores[1]!.revision();
    await caughtUp(seers, writers, head);
    const findings = await verify(stores[0]!, writers, seers);
    await Promise.all(seers.map((seer) => seer.stop()));
    return {
      faults: done,
      refused: writers.refused.length,
      deliveries: seers.reduce((sum, { seen }) => sum + seen.length, 0),
      compactions,
      toldCompacted: seers.reduce((sum, { gaps }) => sum + gaps.length, 0),
      ...findings.writes,
      problems: findings.problems,
    };
  } finally {
    await Promise.all(stores.map((store) => store.close()));
    await Promise.all(members.map((member) => member.remove()));
  }
}

/** Each store starts with a different member. */
function open(members: readonly EtcdMember[], first: number): Promise<Store> {
  const endpoints = members.map((_, i) => members[(i + first) % members.length]!.endpoint);
  return openEtcd({ endpoints, timeout: 20_000, attemptTimeout: 2_000 });
}

/** Compaction under watch. */
async function compact(store: Store): Promise<number> {
  const revision = (await store.revision()) - KEEP;
  if (revision < 1) return 0;
  await store.compact(revision);
  return 1;
}

/** Waits until every watcher has seen the last write. */
async function caughtUp(seers: readonly Seer[], writers: Writers, head: number): Promise<void> {
  const last = writers.noted.reduce((most, { revision }) => Math.max(most, revision ?? 0), 0);
  const late = (): readonly Seer[] => seers.filter((seer) => seer.last < last);
  if (await until(() => late().length === 0, 60)) return;
  for (const seer of late()) seer.problems.push(`a watcher came to revision ${seer.last}, not to ${last} of ${head}`);
}

async function verify(store: Store, writers: Writers, seers: readonly Seer[]): Promise<Findings> {
  const findings = new Findings();
  findings.problem(...seers.flatMap((seer) => seer.problems));
  // A watcher without a notice of compaction must have seen everything.
  const truth = seers.find(({ gaps }) => gaps.length === 0);
  if (truth === undefined) {
    findings.problem("no watcher saw everything");
    return findings;
  }
  for (const { seen, gaps } of seers) {
    const told = truth.seen.filter(
      ({ revision }) => !gaps.some(({ after, through }) => after < revision && revision <= through),
    );
    if (JSON.stringify(seen) !== JSON.stringify(told)) findings.problem("two watchers saw different histories");
  }
  const byId = new Map(truth.seen.map((event) => [event.id, event]));
  if (byId.size !== truth.seen.length) findings.problem("a write is in the history twice");
  for (const { id, key, revision } of writers.noted) {
    const found = byId.get(id);
    byId.delete(id);
    if (revision === undefined) {
      if (found === undefined) findings.unacknowledgedAbsent += 1;
      else findings.unacknowledgedFound += 1;
    } else if (found?.revision === revision && found.key === key) {
      findings.acknowledged += 1;
    } else {
      findings.lose(`write ${id} was acknowledged at revision ${revision} and is ${JSON.stringify(found)}`);
    }
  }
  for (const id of byId.keys()) findings.problem(`write ${id} was refused, or never made, and is there`);
  findings.problem(...(await differences(store, truth)));
  return findings;
}

/** The keys hold their last written values. */
async function differences(store: Store, truth: Seer): Promise<string[]> {
  const last = new Map(truth.seen.map((event) => [event.key, event]));
  const { entries } = await store.list("/k/");
  if (entries.length !== last.size) return [`${entries.length} keys are there, ${last.size} were written`];
  return entries.flatMap(({ key, value, modRevision }) => {
    const event = last.get(key);
    const same = event?.revision === modRevision && event.id === Buffer.from(value).toString();
    return same ? [] : [`${key} is not what was written to it last`];
  });
}
