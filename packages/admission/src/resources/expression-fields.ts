// The fields of policies and webhook configurations that contain expressions: one table for code that needs the expressions but
// not their results (formatting, coverage, findings).

import type { JsonPath } from "@celadon/base";
import { gvkOf, type PathPattern, valuesAt } from "@celadon/kube";
import { ADMISSION_REGISTRATION } from "./read.ts";

/** The role of an expression in its policy. */
export type ExpressionKind =
  | "matchCondition"
  | "variable"
  | "validation"
  | "messageExpression"
  | "auditAnnotation"
  | "mutation";

/** An expression in an object. */
export interface WrittenExpression {
  readonly path: JsonPath;
  readonly text: string;
  readonly kind: ExpressionKind;
}

type Row = readonly [pattern: PathPattern, kind: ExpressionKind];

const row = (path: string, kind: ExpressionKind): Row => [path.split("."), kind];

// biome-ignore format: one field per line
const POLICY: readonly Row[] = [
  row("spec.matchConditions.*.expression", "matchCondition"),
  row("spec.variables.*.expression",       "variable"),
];
// biome-ignore format: one field per line
const FIELDS: ReadonlyMap<string, readonly Row[]> = new Map([
  ["ValidatingAdmissionPolicy", [
    ...POLICY,
    row("spec.validations.*.expression",           "validation"),
    row("spec.validations.*.messageExpression",    "messageExpression"),
    row("spec.auditAnnotations.*.valueExpression", "auditAnnotation"),
  ]],
  ["MutatingAdmissionPolicy", [
    ...POLICY,
    row("spec.mutations.*.applyConfiguration.expression", "mutation"),
    row("spec.mutations.*.jsonPatch.expression",          "mutation"),
  ]],
  ["ValidatingWebhookConfiguration", [row("webhooks.*.matchConditions.*.expression", "matchCondition")]],
  ["MutatingWebhookConfiguration",   [row("webhooks.*.matchConditions.*.expression", "matchCondition")]],
]);

/** Field by field, in the order of the table; none for other kinds. Values that are no text are left out. */
export function expressionFields(object: object): readonly WrittenExpression[] {
  const { group, kind: name } = gvkOf(object);
  const rows = group === ADMISSION_REGISTRATION ? (FIELDS.get(name) ?? []) : [];
  return rows.flatMap(([pattern, kind]) =>
    valuesAt(object, pattern).flatMap(({ path, value }) =>
      typeof value === "string" ? [{ path, text: value, kind }] : [],
    ),
  );
}
