// A server with a simulated cluster, and what its tests ask of it.

import { expect, vi } from "vitest";
import type { LocalClient } from "../../client/local-client.ts";
import { testServer } from "../../server.testing.ts";
import type { ServerOptions } from "../../server-options.ts";

export const PATIENCE = { timeout: 60_000, interval: 20 };

export interface Simulated {
  readonly admin: LocalClient;
  /** Creates an object of a collection, and returns it. */
  create(collection: string, object: object): Promise<Read>;
  get(path: string): Promise<Read>;
  patch(path: string, body: object): Promise<Read>;
  list(collection: string): Promise<readonly Read[]>;
  /** The object at a path, as soon as the check of it does not throw. */
  until(path: string, check: (object: Read) => void): Promise<Read>;
  close(): Promise<void>;
}

/** An answer of the server. */
// biome-ignore lint/suspicious/noExplicitAny: objects of many kinds
export type Read = any;

/** Starts a server whose first node is ready, so that every test has the same nodes, however slow the machine is. */
export async function simulated(options: Partial<ServerOptions> = {}): Promise<Simulated> {
  const { server, admin } = await testServer({ simulate: true, ...options });
  const get = async (path: string): Promise<Read> => (await admin.call("GET", path)).json();
  const until: Simulated["until"] = (path, check) =>
    vi.waitFor(async () => {
      const object = await get(path);
      check(object);
      return object;
    }, PATIENCE);
  await until(`${NODES}/${FIRST_NODE}`, isUsable);
  return {
    admin,
    get,
    until,
    async create(collection, object) {
      const reply = await admin.call("POST", collection, { body: object });
      expect(reply.text, collection).not.toContain('"Failure"');
      return reply.json();
    },
    async patch(path, body) {
      const reply = await admin.call("PATCH", path, { body, type: "application/strategic-merge-patch+json" });
      expect(reply.code, reply.text).toBe(200);
      return reply.json();
    },
    list: async (collection) => (await get(collection)).items,
    close: () => server.close(),
  };
}

export const NODES = "/api/v1/nodes";
/** The node of a cluster that has no other. */
export const FIRST_NODE = "simulated";

/** A node to which pods go. */
export function isUsable({ spec, status }: Read): void {
  expect(status?.conditions?.find(({ type }: Read) => type === "Ready")?.status).toBe("True");
  expect(spec.taints).toBeUndefined();
}

export const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
export const REPLICA_SETS = "/apis/apps/v1/namespaces/default/replicasets";
export const PODS = "/api/v1/namespaces/default/pods";

/** A workload's template, whose labels are also its selector. */
export function template(app: string, spec: object = {}, annotations: object = {}): Read {
  return {
    metadata: { labels: { app }, annotations },
    spec: { containers: [{ name: "c", image: "i:1" }], ...spec },
  };
}

export const workload = (name: string, spec: object, more: object = {}): Read => ({
  metadata: { name },
  spec: { selector: { matchLabels: { app: name } }, template: template(name), ...spec },
  ...more,
});
