// Clients that never read and clients that never finish sending.

import { pause } from "../campaign.ts";
import type { Client } from "../server/client.ts";
import type { Sockets } from "./sockets.ts";

const CONFIG_MAPS = "/api/v1/namespaces/slow/configmaps";

export interface SlowOutcome {
  readonly connections: number;
  readonly problems: readonly string[];
}

/** Watches and large lists that are never read, while enough is written to fill the memory. */
export async function neverRead(
  client: Client,
  sockets: Sockets,
  { watchers, lists, megabytes }: { watchers: number; lists: number; megabytes: number },
): Promise<SlowOutcome> {
  const problems: string[] = [];
  const metadata = { name: "slow" };
  await client.call("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata });
  const ask = async (path: string): Promise<void> => {
    const socket = await sockets.open();
    socket.on("error", () => {});
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  };
  const write = async (name: string, value: string): Promise<void> => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { value } };
    const path = `${CONFIG_MAPS}/${name}?fieldManager=slow&force=true`;
    const { code, body } = await client.call("PATCH", path, object, "application/apply-patch+yaml", 60_000);
    if (code >= 300) problems.push(`a write was answered ${code} ${body?.message}`);
  };
  for (let i = 0; i < watchers; i++) await ask(`${CONFIG_MAPS}?watch=true`);
  // Half a megabyte at a time, to ten objects, so that the store stays small.
  for (let i = 0; i < megabytes * 2; i++) await write(`big-${i % 10}`, `${i}${"x".repeat(512 * 1024)}`);
  for (let i = 0; i < lists; i++) await ask(CONFIG_MAPS);
  await pause(500);
  const connections = sockets.count;
  sockets.closeAll();
  await client.call("DELETE", "/api/v1/namespaces/slow");
  return { connections, problems };
}

/** Requests sent one byte at a time: headers that never end, and bodies that never come. */
export async function slowLoris(
  sockets: Sockets,
  { heads, bodies, seconds }: { heads: number; bodies: number; seconds: number },
): Promise<SlowOutcome> {
  const drips: (() => void)[] = [];
  const start = async (head: string): Promise<void> => {
    const socket = await sockets.open();
    socket.on("error", () => {});
    socket.on("data", () => {});
    socket.write(head);
    drips.push(() => socket.write("a"));
  };
  for (let i = 0; i < heads; i++) await start("GET /api HTTP/1.1\r\nHost: x\r\nX-Slow: ");
  const post = "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  for (let i = 0; i < bodies; i++) await start(`${post}Content-Length: 100000\r\n\r\n{`);
  const connections = sockets.count;
  for (let second = 0; second < seconds; second++) {
    for (const drip of drips) drip();
    await pause(1_000);
  }
  sockets.closeAll();
  return { connections, problems: [] };
}
