// CustomResourceDefinitions, as far as policies need them: their kinds are served, objects are stored as they are sent, versions
// differ in their apiVersion alone. Schemas and rules are the business of a handler that comes before this one.

import type { Handler } from "./handler.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import type { Kind } from "./kinds.ts";
import { metadataOf, withMetadata } from "./write.ts";

const SCALE = { group: "autoscaling", version: "v1", kind: "Scale" };

export const definitionHandler: Handler = {
  handles: (kind) => kind.kind === "CustomResourceDefinition" && kind.group === "apiextensions.k8s.io",
  prepare: (object, { operation }) => (operation === "CREATE" ? withMetadata(object, { generation: 1 }) : object),
  stored: (object, cluster) => {
    for (const kind of servedKinds(object)) cluster.kinds.add(kind);
  },
  deleted: (object, cluster) => {
    for (const kind of servedKinds(object)) cluster.kinds.remove(kind);
  },
};

/** The kinds a definition adds. */
export function servedKinds(definition: JsonObject): Kind[] {
  const spec = objectAt(definition, "spec");
  const names = objectAt(spec, "names");
  const group = String(spec.group);
  const versions = Array.isArray(spec.versions) ? spec.versions.filter(isObject) : [];
  return versions
    .filter((version) => version.served !== false)
    .map((version) => {
      const kind = { group, version: String(version.name), kind: String(names.kind) };
      const subresources = objectAt(version, "subresources");
      return {
        ...kind,
        resource: String(names.plural),
        namespaced: spec.scope === "Namespaced",
        subresources: { ...(subresources.status ? { status: kind } : {}), ...(subresources.scale ? { scale: SCALE } : {}) },
      };
    });
}

/** Objects of kinds that definitions add: generation counts changes, status is its subresource's. */
export const customResourceHandler: Handler = {
  handles: (kind) => kind.group.endsWith(".example.com"),
  prepare: (object, { operation, oldObject, subresource, kind }) => {
    if (operation === "CREATE") return withMetadata(without(object, kind, "status"), { generation: 1 });
    if (oldObject === undefined) return object;
    const { generation } = metadataOf(oldObject);
    if (subresource === "status") return withMetadata({ ...oldObject, status: object.status ?? {} }, {});
    const kept = "status" in kind.subresources ? { ...without(object, kind, "status"), ...picked(oldObject, "status") } : object;
    const changed = JSON.stringify(kept.spec) !== JSON.stringify(oldObject.spec);
    return withMetadata(kept, { generation: Number(generation ?? 1) + (changed ? 1 : 0) });
  },
};

function without(object: JsonObject, kind: Kind, field: string): JsonObject {
  if (!("status" in kind.subresources)) return object;
  const { [field]: _, ...rest } = object as Record<string, Json>;
  return rest;
}

function picked(object: JsonObject, field: string): JsonObject {
  return object[field] === undefined ? {} : { [field]: object[field] };
}

function objectAt(value: JsonObject, field: string): JsonObject {
  const found = value[field];
  return isObject(found) ? found : {};
}

