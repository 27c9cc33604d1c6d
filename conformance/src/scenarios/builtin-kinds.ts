// What the server does itself for the built-in kinds the scenarios use: the little that policies can see.

import { checkPathSegmentName, invalidObject, type KubeObject, validateObjectMeta } from "@celadon/kube";
import { withServerDefaults } from "@celadon/kube/defaults";
import { createObject, loadKindRules, updateObject } from "@celadon/kube/validation";
import type { Handler } from "./handler.ts";
import type { JsonObject } from "./json.ts";
import { metadataOf, withMetadata } from "./write.ts";

/** Namespaces get a label with their name, a finalizer and a phase. */
export const namespaceHandler: Handler = {
  handles: (kind) => kind.group === "" && kind.kind === "Namespace",
  decode: withServerDefaults,
  prepare: (object, { operation, oldObject }) =>
    operation === "CREATE"
      ? { ...object, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } }
      : { ...object, spec: oldObject?.spec ?? {}, status: oldObject?.status ?? {} },
};

/** Workloads: status is not theirs to write, generation counts changes of the spec. */
export const workloadHandler: Handler = {
  handles: (kind) => kind.group === "apps" || kind.group === "batch" || (kind.group === "" && kind.kind === "Pod"),
  decode: withServerDefaults,
  prepare: (object, { operation, oldObject, subresource, kind }) => {
    const counted = kind.group !== "";
    if (operation === "CREATE") {
      const { status: _, ...rest } = object;
      return counted
        ? withMetadata({ ...rest, status: {} }, { generation: 1 })
        : { ...rest, status: { phase: "Pending" } };
    }
    if (oldObject === undefined) return object;
    const { generation } = metadataOf(oldObject);
    const kept = subresource === "status" ? { ...object, spec: oldObject.spec! } : withStatusOf(oldObject, object);
    if (!counted) return kept;
    const changed = JSON.stringify(kept.spec) !== JSON.stringify(oldObject.spec);
    return withMetadata(kept, { generation: Number(generation ?? 1) + (changed ? 1 : 0) });
  },
};

function withStatusOf(old: JsonObject, object: JsonObject): JsonObject {
  const { status: _, ...rest } = object;
  return old.status === undefined ? rest : { ...rest, status: old.status };
}

/** Kinds of which only the defaults matter. */
export const defaultedHandler: Handler = {
  handles: (kind) => DEFAULTED_GROUPS.includes(kind.group),
  decode: withServerDefaults,
  validate: async (object, { kind, name, namespace, oldObject, subresource }) => {
    if (subresource !== "") return undefined;
    const [given, old] = [object as KubeObject, oldObject as KubeObject | undefined];
    const rules = await loadKindRules(kind);
    if (rules === undefined) {
      const errors = validateObjectMeta(given.metadata ?? {}, kind.namespaced, checkPathSegmentName);
      return errors.length === 0 ? undefined : invalidObject(kind, name, errors);
    }
    const request = { namespace };
    return old === undefined
      ? createObject(rules, given, request).refusal
      : updateObject(rules, given, old, request).refusal;
  },
};

const DEFAULTED_GROUPS: readonly string[] = ["", "rbac.authorization.k8s.io", "networking.k8s.io", "storage.k8s.io"];

/** All of them. */
export const BUILTIN_HANDLERS: readonly Handler[] = [namespaceHandler, workloadHandler, defaultedHandler];
