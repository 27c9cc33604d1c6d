// The kinds that a CustomResourceDefinition adds.

import { isObject, type JsonObject } from "./json.ts";
import type { Kind } from "./kinds.ts";

const SCALE = { group: "autoscaling", version: "v1", kind: "Scale" };

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
        subresources: {
          ...(subresources.status ? { status: kind } : {}),
          ...(subresources.scale ? { scale: SCALE } : {}),
        },
      };
    });
}

function objectAt(value: JsonObject, field: string): JsonObject {
  const found = value[field];
  return isObject(found) ? found : {};
}
