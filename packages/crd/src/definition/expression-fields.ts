// Finds the rules and message expressions of a CustomResourceDefinition as it is written, even if the rest is wrong.

import { pushAll } from "@celadon/base";
import { gvkOf, type ValueAt, valuesAt } from "@celadon/kube";

/** An expression in a definition. */
export interface WrittenRule {
  readonly path: readonly (string | number)[];
  readonly text: string;
  readonly kind: "rule" | "messageExpression";
}

const SCHEMAS = [
  ["spec", "versions", "*", "schema", "openAPIV3Schema"],
  // v1beta1, for all versions
  ["spec", "validation", "openAPIV3Schema"],
];
// biome-ignore format: where schemas stand in schemas
const INNER = [
  ["properties", "*"], ["items"], ["additionalProperties"], ["patternProperties", "*"],
  ["allOf", "*"], ["anyOf", "*"], ["oneOf", "*"], ["not"],
];
const RULES = ["x-kubernetes-validations", "*"];

/** Schema by schema, outer ones first; none for other kinds. */
export function ruleFields(object: object): readonly WrittenRule[] {
  const { group, kind } = gvkOf(object);
  if (group !== "apiextensions.k8s.io" || kind !== "CustomResourceDefinition") return [];
  const found: WrittenRule[] = [];
  const open = SCHEMAS.flatMap((pattern) => valuesAt(object, pattern)).toReversed();
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    for (const rule of within(schema, RULES)) {
      pushAll(found, textsOf(rule, "rule"), textsOf(rule, "messageExpression"));
    }
    for (const pattern of INNER.toReversed()) pushAll(open, within(schema, pattern).toReversed());
  }
  return found;
}

function within({ path, value }: ValueAt, pattern: readonly string[]): ValueAt[] {
  return valuesAt(value, pattern).map((inner) => ({ path: [...path, ...inner.path], value: inner.value }));
}

function textsOf(rule: ValueAt, kind: WrittenRule["kind"]): WrittenRule[] {
  return within(rule, [kind]).flatMap(({ path, value }) =>
    typeof value === "string" ? [{ path, text: value, kind }] : [],
  );
}
