// Three members of etcd on loopback, two stores over them, faults one after the other. Nothing acknowledged may be lost, and every watch
// goes on without a gap or says that history was compacted.

import type { Store } from "@celadon/storage";
import { openEtcd } from "@celadon/storage/etcd";
import { type EtcdMember, etcdCluster } from "@celadon/storage/testing";
import { seeded } from "../random.ts";
import { Seer, Writers } from "./clients.ts";
import { faults } from "./faults.ts";

export interface EtcdOptions {
  /** How often each fault happens. */
  readonly times: number;
  readonly seed: number;
  readonly progress?: (line: string) => void;
}

export interface EtcdReport {
  readonly faults: Readonly<Record<string, { times: number; longestOutageMs: number }>>;
  readonly acknowledged: number;
  /** Failed with an unknown outcome: applied, or not. */
  readonly unknownApplied: number;
  readonly unknownNotApplied: number;
  readonly refused: number;
  readonly deliveries: number;
  readonly compactions: number;
  /** Times a watch was told that history is gone. */
  readonly toldCompacted: number;
  readonly lost: number;
  readonly problems: readonly string[];
}

/** Compactions leave this many revisions, so that only watchers far behind meet them. */
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
        (_, i) => new Seer(store, `watcher ${s}.${i}`, from, seeded(options.seed + 10 * s + i)),
      ),
    );
    for (const [s, store] of stores.entries()) writers.start(store, `w${s}.`, 8, seeded(options.seed + 100 + s));
    const done: Record<string, { times: number; longestOutageMs: number }> = {};
    let compactions = 0;
    for (let round = 0; round < options.times; round++) {
      for (const fault of faults) {
        writers.takeOutage();
        await fault.run(members, random);
        await Promise.all(members.map((member) => member.ready(60)));
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        const longestOutageMs = Math.max(done[fault.name]?.longestOutageMs ?? 0, writers.takeOutage());
        done[fault.name] = { times: (done[fault.name]?.times ?? 0) + 1, longestOutageMs };
        compactions += await compact(stores[0]!);
        options.progress?.(`${fault.name}: ${writers.noted.length} writes, ${seers[0]!.seen.length} seen`);
      }
    }
    await writers.stop();
    const head = await stores[1]!.revision();
    await caughtUp(seers, writers, head);
    const verdict = await verify(stores[0]!, writers, seers);
    await Promise.all(seers.map((seer) => seer.stop()));
    return {
      faults: done,
      refused: writers.refused.length,
      deliveries: seers.reduce((sum, { seen }) => sum + seen.length, 0),
      compactions,
      toldCompacted: seers.reduce((sum, { compacted }) => sum + compacted, 0),
      ...verdict,
    };
  } finally {
    await Promise.all(stores.map((store) => store.close()));
    await Promise.all(members.map((member) => member.remove()));
  }
}

/** Each store starts at another member. */
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
  const last = Math.max(...writers.noted.map(({ revision }) => revision ?? 0));
  for (let i = 0; i < 600 && seers.some((seer) => seer.last < last); i++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const late = seers.filter((seer) => seer.last < last);
  if (late.length > 0) late[0]!.problems.push(`${late.length} watchers did not come to revision ${last} of ${head}`);
}

type Verdict = Pick<EtcdReport, "acknowledged" | "unknownApplied" | "unknownNotApplied" | "lost" | "problems">;

async function verify(store: Store, writers: Writers, seers: readonly Seer[]): Promise<Verdict> {
  const problems = seers.flatMap((seer) => seer.problems);
  // Watchers that were never told of a compaction saw everything; they must agree.
  const whole = seers.filter(({ compacted }) => compacted === 0);
  const [truth] = whole;
  if (truth === undefined)
    return {
      acknowledged: 0,
      unknownApplied: 0,
      unknownNotApplied: 0,
      lost: 0,
      problems: ["no watcher saw everything"],
    };
  for (const seer of whole) {
    if (JSON.stringify(seer.seen) !== JSON.stringify(truth.seen)) problems.push("two watchers saw different histories");
  }
  const byId = new Map(truth.seen.map((event) => [event.id, event]));
  if (byId.size !== truth.seen.length) problems.push("a write is in the history twice");
  let acknowledged = 0;
  let unknownApplied = 0;
  let unknownNotApplied = 0;
  let lost = 0;
  for (const { id, key, revision } of writers.noted) {
    const found = byId.get(id);
    byId.delete(id);
    if (revision === undefined) {
      if (found === undefined) unknownNotApplied += 1;
      else unknownApplied += 1;
    } else if (found?.revision === revision && found.key === key) {
      acknowledged += 1;
    } else {
      lost += 1;
      problems.push(`write ${id} was acknowledged at revision ${revision} and is ${JSON.stringify(found)}`);
    }
  }
  for (const id of byId.keys()) problems.push(`write ${id} was refused, or never made, and is there`);
  problems.push(...(await differences(store, truth)));
  return { acknowledged, unknownApplied, unknownNotApplied, lost, problems: problems.slice(0, 20) };
}

/** What the keys hold is what was written to them last. */
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
