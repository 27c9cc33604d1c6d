// A built-in kind's schema as a CustomResourceDefinition writes it: without prose, and with what structural schemas may say.

import type { JsonObject } from "@celadon/base";
import { builtinSchema } from "@celadon/kube/builtin";
import type { Schema } from "@celadon/kube/schemas";
import type { PolicyKindName } from "./own-kinds.ts";

export function builtinKindSchema(kind: PolicyKindName): JsonObject {
  const schema = builtinSchema({ group: "admissionregistration.k8s.io", version: "v1", kind });
  if (schema === undefined) throw new Error(`${kind} is not a built-in kind`);
  return schemaJson(schema);
}

function schemaJson(schema: Schema): JsonObject {
  const { type, properties, items, additionalProperties, required, listType, listMapKeys, mapType } = schema;
  return {
    ...(type !== undefined && { type }),
    ...(required !== undefined && { required: [...required] }),
    ...(properties && {
      properties: Object.fromEntries([...properties].map(([name, property]) => [name, schemaJson(property)])),
    }),
    ...(items && { items: schemaJson(items) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: schemaJson(additionalProperties) }),
    ...(listType !== undefined && { "x-kubernetes-list-type": listType }),
    ...(listMapKeys && { "x-kubernetes-list-map-keys": [...listMapKeys] }),
    ...(mapType !== undefined && { "x-kubernetes-map-type": mapType }),
  };
}
