// Patches and field ownership, as @celadon/merge has them, for the kinds of the in-memory cluster.

import type { KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { badRequest, failure, type Status } from "@celadon/kube/status";
import { decode } from "@celadon/kube/types";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  builtinMergeType,
  createFieldManager,
  type FieldManager,
  readJsonPatch,
} from "@celadon/merge";
import type { ScenarioCluster } from "./cluster.ts";
import type { Json, JsonObject } from "./json.ts";
import { apiVersionOfKind, gvkOfKind, type Kind } from "./kinds.ts";
import { customTypeOf } from "./mutation-hosts.ts";
import type { PatchType } from "./scenario.ts";

export function applyPatch(
  object: JsonObject,
  patch: Json,
  type: Exclude<PatchType, "apply">,
  kind: Kind,
): JsonObject | Status {
  switch (type) {
    case "merge": {
      const merged = applyMergePatch(object, patch);
      return merged instanceof Invalid ? badRequest(merged.message) : (merged as JsonObject);
    }
    case "json": {
      const operations = readJsonPatch(patch);
      if (operations instanceof Invalid) return badRequest(operations.message);
      const patched = applyJsonPatch(object, operations);
      if (!(patched instanceof Invalid)) return patched as JsonObject;
      return failure("Invalid", "the server rejected our request due to an error in our request", {});
    }
    case "strategic":
      return applyStrategicPatch(object as KubeObject, patch as JsonObject, gvkOfKind(kind)) as JsonObject | Status;
  }
}

/** The field manager of a kind. */
export function fieldManager(cluster: ScenarioCluster, kind: Kind, subresource: string): FieldManager {
  const apiVersion = apiVersionOfKind(kind);
  const blank = decode({ apiVersion, kind: kind.kind }, {})?.object;
  return createFieldManager({
    kind: gvkOfKind(kind),
    subresource,
    type: (version) =>
      version === apiVersion
        ? (builtinMergeType(gvkOfKind(kind)) ?? customTypeOf(cluster, gvkOfKind(kind)))
        : undefined,
    ...(blank && { blank: blank as KubeObject }),
    now: () => "2026-01-01T00:00:00Z",
  });
}
