// A space quota exceeded under load on three members: writes fail with no_space, nothing acknowledged is lost, reads and watches continue, and
// writes continue once an operator has freed space.

import { isStoreError, type Store } from "@celadon/storage";
import { openEtcd } from "@celadon/storage/etcd";
import { type EtcdMember, etcdCluster } from "@celadon/storage/testing";
import { type CampaignReport, Findings, until } from "../campaign.ts";
import { askMember } from "./faults.ts";

export interface QuotaReport extends CampaignReport {
  readonly acknowledged: number;
  readonly refused: number;
  readonly appliedThoughRefused: number;
  readonly lost: number;
  readonly acknowledgedAfterwards: number;
}

const QUOTA_BYTES = 16 * 1024 * 1024;
const WRITERS = 20;
const AFTERWARDS = 100;

export async function quotaCampaign(): Promise<QuotaReport> {
  const members = await etcdCluster(3, { flags: ["--quota-backend-bytes", String(QUOTA_BYTES)] });
  for (const member of members) member.start();
  let store: Store | undefined;
  try {
    await Promise.all(members.map((member) => member.ready()));
    store = await openEtcd({ endpoints: members.map(({ endpoint }) => endpoint) });
    return await exceed(store, members);
  } finally {
    await store?.close();
    await Promise.all(members.map((member) => member.remove()));
  }
}

async function exceed(store: Store, members: readonly EtcdMember[]): Promise<QuotaReport> {
  const findings = new Findings();
  const watched = new Map<string, number>();
  const watch = store.watch("/k/");
  const watching = (async () => {
    for await (const notice of watch) {
      if (notice.type === "changes") for (const { key } of notice.changes) watched.set(key, notice.revision);
    }
  })().catch((error: unknown) => findings.problem(`the watch ended: ${String(error)}`));
  const { acknowledged, refused } = await fill(store, findings);
  const { entries, revision } = await store.list("/k/");
  const found = new Map(entries.map(({ key, modRevision }) => [key, modRevision]));
  for (const [key, at] of acknowledged) if (found.get(key) !== at) findings.lose(`${key} is lost`);
  for (const key of found.keys()) {
    if (!acknowledged.has(key) && !refused.has(key)) findings.problem(`${key} is unknown`);
  }
  if (!(await until(() => watched.size === found.size, 10))) {
    findings.problem(`the watch saw ${watched.size} of ${found.size} keys`);
  }
  await makeRoom(store, members, [...found.keys()], revision);
  let afterwards = 0;
  for (let i = 0; i < AFTERWARDS; i++) {
    await store.write([{ op: "put", key: `/k/after/${i}`, value: Buffer.from("room again") }]);
    afterwards += 1;
  }
  if (
    !(await until(() => [...watched.keys()].filter((key) => key.startsWith("/k/after/")).length === AFTERWARDS, 10))
  ) {
    findings.problem("the watch did not see the writes afterwards");
  }
  watch.close();
  await watching;
  return {
    acknowledged: acknowledged.size,
    refused: refused.size,
    appliedThoughRefused: found.size - acknowledged.size,
    lost: findings.lost,
    acknowledgedAfterwards: afterwards,
    problems: findings.problems,
  };
}

/** Writes until every writer has been refused several times. */
async function fill(store: Store, findings: Findings) {
  const acknowledged = new Map<string, number>();
  const refused = new Set<string>();
  const value = Buffer.alloc(20_000, "x");
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let i = 0, failures = 0; failures < 3; i++) {
        const key = `/k/${writer}/${i}`;
        try {
          acknowledged.set(key, (await store.write([{ op: "put", key, value }])).revision);
        } catch (error) {
          failures += 1;
          refused.add(key);
          if (!isStoreError(error, "no_space")) findings.problem(`a write failed with ${String(error)}`);
        }
      }
    }),
  );
  return { acknowledged, refused };
}

/** The operator's steps: delete, compact, defragment, disarm the alarm. Deletions are allowed without space. */
async function makeRoom(store: Store, members: readonly EtcdMember[], keys: readonly string[], revision: number) {
  for (let i = 0; i < keys.length; i += 100) {
    await store.write(keys.slice(i, i + 100).map((key) => ({ op: "delete", key })));
  }
  await store.compact(Math.max(revision, await store.revision()));
  for (const member of members) await askMember(member, "defragment", {});
  await askMember(members[0]!, "alarm", { action: "DEACTIVATE", memberID: "0", alarm: "NOSPACE" });
  for (const member of members) {
    const { alarms = [] } = ((await askMember(member, "alarm", { action: "GET" })) ?? {}) as {
      alarms?: { memberID: string; alarm: string }[];
    };
    for (const alarm of alarms) await askMember(member, "alarm", { action: "DEACTIVATE", ...alarm });
  }
}
