// npm run faults -- [campaign ...] [--times 1000] [--seed n]
// Runs the campaigns named, or all of them, and keeps their figures in results/.

import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openEtcd } from "@celadon/storage/etcd";
import { openLmdb } from "@celadon/storage/lmdb";
import { openMemory } from "@celadon/storage/memory";
import { findEtcd, startEtcd } from "@celadon/storage/testing";
import { etcdCampaign } from "./etcd/campaign.ts";
import { quotaCampaign } from "./etcd/quota.ts";
import { killCampaign } from "./kill/campaign.ts";
import { keepResult } from "./results.ts";
import { watchersCampaign } from "./watchers/campaign.ts";

interface Settings {
  readonly times: number | undefined;
  readonly seed: number;
}

interface Outcome {
  readonly problems: readonly string[];
}

const campaigns: Record<string, (settings: Settings) => Promise<Outcome>> = {
  "lmdb-kill": ({ times, seed }) =>
    killCampaign({
      writer: fileURLToPath(new URL("./kill/writer.js", import.meta.url)),
      times: times ?? 1_000,
      seed,
      progress: (kills) => {
        if (kills % 50 === 0) console.log(`faults: ${kills} kills`);
      },
    }),
  "memory-watchers": async ({ seed }) => {
    const store = openMemory({ maxQueuedChanges: 1_000 });
    const report = await watchersCampaign(store, { watchers: 1_000, writes: 10_000, seed });
    await store.close();
    return report;
  },
  "lmdb-watchers": async ({ seed }) => {
    const directory = mkdtempSync(join(tmpdir(), "celadon-watchers-"));
    const store = await openLmdb(directory, { maxQueuedChanges: 1_000 });
    const report = await watchersCampaign(store, { watchers: 1_000, writes: 10_000, seed });
    await store.close();
    rmSync(directory, { recursive: true });
    return report;
  },
};

/** Campaigns that need etcd; they are left out, with a notice, where it is not installed. */
const etcdCampaigns: typeof campaigns = {
  "etcd-cluster": ({ times, seed }) =>
    etcdCampaign({ times: times ?? 10, seed, progress: (line) => console.log(`faults: ${line}`) }),
  "etcd-quota": () => quotaCampaign(),
  "etcd-watchers": async ({ seed }) => {
    const member = await startEtcd();
    const store = await openEtcd({ endpoints: [member.endpoint], maxQueuedChanges: 1_000 });
    const report = await watchersCampaign(store, { watchers: 1_000, writes: 10_000, seed });
    await store.close();
    await member.remove();
    return report;
  },
};
if (findEtcd() !== undefined) Object.assign(campaigns, etcdCampaigns);
else console.log(`faults: etcd is not installed; skipped ${Object.keys(etcdCampaigns).join(", ")}`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: "string" }, seed: { type: "string" } },
});
const settings = {
  times: values.times === undefined ? undefined : Number(values.times),
  seed: values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed),
};
const names = positionals.length > 0 ? positionals : Object.keys(campaigns);
for (const name of names) {
  const campaign = campaigns[name];
  if (campaign === undefined) {
    console.error(`faults: no campaign "${name}"; there are ${Object.keys(campaigns).join(", ")}`);
    process.exit(3);
  }
  console.log(`faults: ${name}, seed ${settings.seed}`);
  const load = loadavg();
  const outcome = await campaign(settings);
  const figures = { seed: settings.seed, ...outcome };
  console.log(JSON.stringify(figures, undefined, 2));
  if (settings.times === undefined) keepResult(name, figures, load);
  if (outcome.problems.length > 0) process.exitCode = 1;
}
