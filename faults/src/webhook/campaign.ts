// The webhook under constant load while its dependencies fail. No allowed request may fail and no request that a known policy denies may
// pass. When somebody deletes or changes the webhook configuration, it must be restored within a bound. Every new connection must be
// verifiable with the CA bundle of the configuration, through all changes of the certificates.

import { type CampaignOptions, type CampaignReport, pause } from "../campaign.ts";
import { FaultyCluster } from "./cluster.ts";
import { faultsWith } from "./faults.ts";

export interface WebhookCampaignOptions extends CampaignOptions {
  /** The files of a replica and of the API server. */
  readonly replica: string;
  readonly server: string;
  /** The number of times each fault happens. */
  readonly times: number;
  /** The number of policies that are added at once. */
  readonly policies: number;
  /** Only faults whose name contains this. */
  readonly fault?: string | undefined;
}

export interface WebhookReport extends CampaignReport {
  readonly requests: number;
  /** New connections whose certificate was verified with the configuration's CA bundle. */
  readonly connections: number;
  readonly faults: Readonly<Record<string, number>>;
  /** The longest time in milliseconds until a written policy was enforced, or a changed configuration was restored. */
  readonly longestMs: Readonly<Record<string, number>>;
}

export async function webhookCampaign(options: WebhookCampaignOptions): Promise<WebhookReport> {
  const { times, policies, fault: asked, progress, signal } = options;
  const cluster = await FaultyCluster.start(options.server, options.replica);
  const { load } = cluster;
  const faults: Record<string, number> = {};
  try {
    for (let i = 0; i < 3; i++) await cluster.startReplica();
    await cluster.within("first enforcement", () => load.isDenied("bad"));
    load.start();
    for (const { name, run, isLong, opens } of faultsWith(policies)) {
      if (asked !== undefined && !name.includes(asked)) continue;
      progress?.(name);
      load.isOpen = opens === true;
      const often = isLong && asked === undefined ? 1 : times;
      for (let i = 0; i < often && !signal?.aborted; i++) {
        load.during = name;
        await run(cluster);
        faults[name] = (faults[name] ?? 0) + 1;
        await pause(300);
      }
    }
  } finally {
    await cluster.stop();
  }
  const { findings, longestMs } = cluster;
  return { problems: findings.problems, requests: load.requests, connections: load.connections, faults, longestMs };
}
