// A quota that is exceeded under load: writes are refused with no_space, nothing acknowledged is lost, reads and watches go on.

import { isStoreError } from "@celadon/storage";
import { openEtcd } from "@celadon/storage/etcd";
import { startEtcd } from "@celadon/storage/testing";

export interface QuotaReport {
  readonly acknowledged: number;
  readonly refused: number;
  readonly appliedThoughRefused: number;
  readonly problems: readonly string[];
}

export async function quotaCampaign(): Promise<QuotaReport> {
  const member = await startEtcd({ flags: ["--quota-backend-bytes", String(16 * 1024 * 1024)] });
  const store = await openEtcd({ endpoints: [member.endpoint] });
  const problems: string[] = [];
  const acknowledged = new Map<string, number>();
  const refused = new Set<string>();
  const watched = new Map<string, number>();
  try {
    const watch = store.watch("/k/");
    const watching = (async () => {
      for await (const notice of watch) {
        if (notice.type === "changes") for (const { key } of notice.changes) watched.set(key, notice.revision);
      }
    })().catch((error: unknown) => problems.push(`the watch ended: ${String(error)}`));
    const value = Buffer.alloc(20_000, "x");
    await Promise.all(
      Array.from({ length: 20 }, async (_, writer) => {
        for (let i = 0, failures = 0; failures < 3; i++) {
          const key = `/k/${writer}/${i}`;
          try {
            acknowledged.set(key, (await store.write([{ op: "put", key, value }])).revision);
          } catch (error) {
            failures += 1;
            refused.add(key);
            if (!isStoreError(error, "no_space")) problems.push(`a write failed with ${String(error)}`);
          }
        }
      }),
    );
    const { entries } = await store.list("/k/");
    const found = new Map(entries.map(({ key, modRevision }) => [key, modRevision]));
    for (const [key, revision] of acknowledged) if (found.get(key) !== revision) problems.push(`${key} is lost`);
    for (const key of found.keys()) if (!acknowledged.has(key) && !refused.has(key)) problems.push(`${key} is unknown`);
    for (let i = 0; i < 100 && watched.size < found.size; i++) await new Promise((resolve) => setTimeout(resolve, 50));
    if (watched.size !== found.size) problems.push(`the watch saw ${watched.size} of ${found.size} keys`);
    watch.close();
    await watching;
    return {
      acknowledged: acknowledged.size,
      refused: refused.size,
      appliedThoughRefused: found.size - acknowledged.size,
      problems: problems.slice(0, 20),
    };
  } finally {
    await store.close();
    await member.remove();
  }
}
