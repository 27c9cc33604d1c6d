// The schemas of kinds that need no definition in the inputs: built-in kinds, and certificate policies.

import { POLICY_DEFINITION } from "@celadon/certpolicy";
import { gvkOf, type KubeObject } from "@celadon/kube";
import { builtinSchema } from "@celadon/kube/builtin";
import { readCustomResource, type Schema } from "@celadon/kube/schemas";
import { roleOf } from "../manifest/roles.ts";

/** The schema of a kind that needs no CRD among the inputs; undefined for other kinds. */
export function knownSchema(object: KubeObject): Schema | undefined {
  if (roleOf(object) === "certificatePolicy") {
    const read = readCustomResource(POLICY_DEFINITION);
    return "versions" in read ? read.versions[0]?.schema : undefined;
  }
  const kind = gvkOf(object);
  // Versions that are no longer served have the fields of v1, or nearly so.
  return builtinSchema(kind) ?? builtinSchema({ ...kind, version: "v1" });
}
