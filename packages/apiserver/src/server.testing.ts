// A server in memory and a client for it, for the tests of this package.

import { openMemory } from "@celadon/storage/memory";
import { LocalClient } from "./client/local-client.ts";
import { ApiServer } from "./server.ts";
import type { ServerOptions } from "./server-options.ts";

export interface TestServer {
  readonly server: ApiServer;
  /** A member of system:masters. */
  readonly admin: LocalClient;
}

export async function testServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const server = new ApiServer({ store: await openMemory(), ...options });
  await server.start();
  return { server, admin: new LocalClient(server, { username: "admin", groups: ["system:masters"] }) };
}

export const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

export function configMap(name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, ...(more.metadata as object) },
    data: more.data ?? {},
  };
}
