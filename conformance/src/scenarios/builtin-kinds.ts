// What the server does itself for the built-in kinds the scenarios use: the little that policies can see.

import type { Handler } from "./handler.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { withWorkloadDefaults } from "./pod-defaults.ts";
import { metadataOf, withMetadata } from "./write.ts";

/** Namespaces get a label with their name, a finalizer and a phase. */
export const namespaceHandler: Handler = {
  handles: (kind) => kind.group === "" && kind.kind === "Namespace",
  decode: (object) => {
    const metadata = metadataOf(object);
    const labels = isObject(metadata.labels) ? metadata.labels : {};
    const name = typeof metadata.name === "string" ? metadata.name : "";
    return withMetadata(object, { labels: { "kubernetes.io/metadata.name": name, ...labels } });
  },
  prepare: (object, { operation, oldObject }) =>
    operation === "CREATE"
      ? { ...object, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } }
      : { ...object, spec: oldObject?.spec ?? {}, status: oldObject?.status ?? {} },
};

/** Workloads: status is not theirs to write, generation counts changes of the spec. */
export const workloadHandler: Handler = {
  handles: (kind) => kind.group === "apps" || kind.group === "batch" || (kind.group === "" && kind.kind === "Pod"),
  decode: (object, { kind }) => withWorkloadDefaults(kind.kind, object),
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

/** What is given as text in `stringData` becomes base64 in `data`. */
export const secretHandler: Handler = {
  handles: (kind) => kind.group === "" && kind.kind === "Secret",
  decode: (object) => {
    const { stringData, ...rest } = object as Record<string, Json>;
    const type = rest.type ?? "Opaque";
    if (!isObject(stringData)) return { ...rest, type };
    const encoded = Object.entries(stringData).map(
      ([key, value]) => [key, Buffer.from(String(value)).toString("base64")] as const,
    );
    return { ...rest, type, data: { ...(isObject(rest.data) ? rest.data : {}), ...Object.fromEntries(encoded) } };
  },
};

/** All of them. */
export const BUILTIN_HANDLERS: readonly Handler[] = [namespaceHandler, workloadHandler, secretHandler];
