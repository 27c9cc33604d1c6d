// The schema of an object that is being written: built in, of a definition of the workspace, or of certificate policies.

import type { Schemas } from "@celadon/admission/memory";
import type { JsonPath } from "@celadon/base";
import { POLICY_DEFINITION } from "@celadon/certpolicy";
import { gvkOf, type KubeObject } from "@celadon/kube";
import { builtinSchema } from "@celadon/kube/builtin";
import { readCustomResource, type Schema } from "@celadon/kube/schemas";

export function schemaOfObject(object: KubeObject, schemas: Schemas): Schema | undefined {
  const kind = gvkOf(object);
  const found = schemas.schema(kind);
  if (found !== undefined) return found;
  if (kind.group === "policy.cert-manager.io") return certificatePolicies();
  // Versions that are not served any more have the fields of v1.
  return kind.group.endsWith(".k8s.io") ? builtinSchema({ ...kind, version: "v1" }) : undefined;
}

let certificates: Schema | undefined;

function certificatePolicies(): Schema | undefined {
  if (certificates === undefined) {
    const read = readCustomResource(POLICY_DEFINITION);
    certificates = "versions" in read ? read.versions[0]?.schema : undefined;
  }
  return certificates;
}

export function schemaAtPath(schema: Schema | undefined, path: JsonPath): Schema | undefined {
  let found = schema;
  for (const step of path) {
    if (found === undefined) return undefined;
    const { additionalProperties, items, properties } = found;
    if (typeof step === "number") found = items;
    else found = properties?.get(step) ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
  }
  return found;
}
