// The place of a rule in the manifest of its CRD.

import type { JsonPath } from "@celadon/base";

/** A rule of a CRD and its place in the schema. */
export interface RuleInSchema {
  /** Steps from the version's schema to the one with the rule. */
  readonly schemaPath: JsonPath;
  readonly index: number;
  readonly kind: "rule" | "messageExpression";
}

/** `version` is its position among the definition's. */
export function rulePath(version: number, { schemaPath, index, kind }: RuleInSchema): JsonPath {
  const schema = ["spec", "versions", version, "schema", "openAPIV3Schema", ...schemaPath];
  return [...schema, "x-kubernetes-validations", index, kind];
}
