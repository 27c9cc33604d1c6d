// Hostile clients and webhooks against `celadon up`, one kind after another, while an honest client keeps working. The server has a small heap, so that
// unbounded memory use would crash it.

import type { CampaignOptions, CampaignReport } from "../campaign.ts";
import { seeded } from "../random.ts";
import { Client } from "../server/client.ts";
import { UpProcess } from "../server/up-process.ts";
import { Canary } from "./canary.ts";
import { malformedBodies, malformedHttp } from "./malformed.ts";
import { neverRead, slowLoris } from "./slow.ts";
import { Sockets } from "./sockets.ts";
import { lyingWebhook } from "./webhooks.ts";

export interface HostileOptions extends CampaignOptions {
  /** The JavaScript of the command. */
  readonly command: string;
  /** The number of malformed requests. */
  readonly times: number;
  /** Only these webhook behaviours. */
  readonly lies?: readonly string[];
  readonly watchers: number;
  readonly senders: number;
  readonly seconds: number;
}

export interface HostileReport extends CampaignReport {
  readonly attacks: Readonly<Record<string, object>>;
  readonly honestRequests: number;
}

const HEAP_MB = 256;

export async function hostileCampaign(options: HostileOptions): Promise<HostileReport> {
  const { times, watchers, senders, seconds, progress, signal } = options;
  const random = seeded(options.seed);
  const server = new UpProcess(options.command, ["--memory"]);
  try {
    const outcome = await server.start([], [`--max-old-space-size=${HEAP_MB}`]);
    if (outcome !== "ready") throw new Error(`the server did not start: ${server.log}`);
    const client = new Client(server.pki, () => server.port);
    const sockets = new Sockets(server.pki, server.port);
    const canary = new Canary(client);
    const problems: string[] = [];
    const attacks: Record<string, object> = {};
    const attack = async (
      name: string,
      run: () => Promise<{ readonly problems: readonly string[] }>,
    ): Promise<void> => {
      if (signal?.aborted) return;
      progress?.(name);
      let most = server.residentBytes();
      const timer = setInterval(() => (most = Math.max(most, server.residentBytes())), 100);
      try {
        const { problems: found, ...figures } = await run();
        problems.push(...found.map((text) => `${name}: ${text}`));
        attacks[name] = { ...figures, mostMemoryMB: mb(most), honestLongestMs: canary.takeLongest() };
        progress?.(`${name}: ${JSON.stringify(attacks[name])}`);
      } catch (error) {
        problems.push(`${name}: ${String(error)} ${server.log}`);
      } finally {
        clearInterval(timer);
      }
    };
    await attack("webhooks that hang, lie and send too much", () => lyingWebhook(client, options.lies));
    await attack("malformed bodies", () => malformedBodies(client, random, times, signal));
    await attack("malformed HTTP", () => malformedHttp(sockets, random, times >> 2, signal));
    await attack("slow senders", () => slowLoris(sockets, { heads: senders, bodies: senders, seconds }));
    await attack("clients that never read", () =>
      neverRead(client, sockets, { watchers, lists: watchers >> 1, megabytes: watchers >> 2 }),
    );
    await canary.stop();
    problems.push(...canary.problems.slice(0, 10).map((text) => `honest client: ${text}`));
    client.close();
    const ended = await server.end("SIGTERM");
    if (ended !== 0 && ended !== 143 && ended !== "SIGTERM")
      problems.push(`the server ended with ${ended}: ${server.log}`);
    return { attacks, honestRequests: canary.requests, problems };
  } finally {
    await server.remove();
  }
}

const mb = (bytes: number): number => Math.round(bytes / 1024 / 1024);
