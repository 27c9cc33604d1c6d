// All objects of a cluster that clients write: each resource in the version that the server prefers.

import type { DiscoveredResource } from "@celadon/client";
import { listAll } from "@celadon/cluster/audit";
import type { Manifest } from "@celadon/simulator/manifests";
import type { Flags } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import type { SourceNote } from "../sources/index.ts";
import { openCluster, unreadText } from "./from-cluster.ts";

export interface ClusterObjects {
  readonly manifests: readonly Manifest[];
  readonly notes: readonly SourceNote[];
}

export async function readObjects(args: Flags<"context" | "kubeconfig">, io: Io): Promise<ClusterObjects> {
  const { api, served } = await openCluster(args, io, { policies: false });
  const file = api.connection.server;
  try {
    const manifests: Manifest[] = [];
    const notes: SourceNote[] = [];
    for (const resource of written(served)) {
      const pages = listAll(api, resource, { signal: io.signal });
      for (;;) {
        const { value, done } = await pages.next();
        if (done) {
          if (value !== undefined) notes.push({ file, message: unreadText(value) });
          break;
        }
        for (const object of value) if (!isMadeByOthers(object.metadata)) manifests.push({ object });
      }
    }
    return { manifests, notes };
  } finally {
    api.close();
  }
}

/** Records that come and go by themselves. */
const PASSING: ReadonlySet<string> = new Set([
  "/events",
  "events.k8s.io/events",
  "coordination.k8s.io/leases",
  "/endpoints",
  "discovery.k8s.io/endpointslices",
  "/componentstatuses",
]);

/** One version of each resource that can be created: the first that discovery names. */
function written(served: readonly DiscoveredResource[]): readonly DiscoveredResource[] {
  const chosen = new Map<string, DiscoveredResource>();
  for (const resource of served) {
    const key = `${resource.group}/${resource.resource}`;
    if (PASSING.has(key) || chosen.has(key)) continue;
    if (resource.verbs.includes("list") && resource.verbs.includes("create")) chosen.set(key, resource);
  }
  return [...chosen.values()];
}

/** An object with a controller is made anew from it: the controller is compared. */
function isMadeByOthers(metadata: unknown): boolean {
  const { ownerReferences } = (metadata ?? {}) as {
    readonly ownerReferences?: readonly { readonly controller?: boolean }[];
  };
  return Array.isArray(ownerReferences) && ownerReferences.some(({ controller }) => controller === true);
}
