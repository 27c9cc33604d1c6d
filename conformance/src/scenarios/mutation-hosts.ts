// The hosts of mutations in the in-memory cluster: the types of kinds, and objects read as their kind after a patch.

import { builtinMergeTypeOf, completeBuiltin } from "@celadon/admission/memory";
import type { MutatingHosts } from "@celadon/admission/mutating";
import { apiVersionOf, type GroupVersionKind, type KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { readCustomResource } from "@celadon/kube/schemas";
import { customMergeType, type MergeType } from "@celadon/merge";
import { isStatus } from "./call.ts";
import type { ScenarioCluster } from "./cluster.ts";
import type { Write } from "./handler.ts";
import type { JsonObject } from "./json.ts";

export function mutationHosts(write: Write): Pick<MutatingHosts, "mergeType" | "complete"> {
  const { cluster } = write;
  return {
    mergeType: (kind) => customTypeOf(cluster, kind) ?? builtinMergeTypeOf(kind),
    complete: (object, kind, reading) => {
      const completed = completeBuiltin(object, kind, reading);
      if (completed !== undefined) return completed;
      const known = cluster.kinds.find({ apiVersion: apiVersionOf(kind), kind: kind.kind });
      const quiet = { ...write, kind: known ?? write.kind, fieldValidation: "Ignore", warnings: [] };
      const decoded = known && cluster.handlerOf(known).decode?.(object as JsonObject, quiet);
      if (decoded === undefined) return object;
      return isStatus(decoded) ? new Invalid(decoded.message ?? "") : (decoded as KubeObject);
    },
  };
}

/** The type of a kind that a definition adds. */
export function customTypeOf(cluster: ScenarioCluster, kind: GroupVersionKind): MergeType | undefined {
  const definitions = cluster.kinds.find({ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" })!;
  for (const object of cluster.list(definitions)) {
    const definition = readCustomResource(object);
    if (definition instanceof Invalid || definition.group !== kind.group || definition.kind !== kind.kind) continue;
    const version = definition.versions.find(({ name }) => name === kind.version);
    if (version !== undefined) return customMergeType(version.schema);
  }
  return undefined;
}
