// The paths of expressions in policies and webhooks: one table for everything that shows a place.

import type { ExpressionOwner } from "../compile/compile.ts";
import type { ExpressionPlace } from "./expressions.ts";

const FIELDS: Readonly<Record<ExpressionPlace["kind"], readonly [list: string, ...fields: readonly string[]]>> = {
  matchCondition: ["matchConditions", "expression"],
  variable: ["variables", "expression"],
  validation: ["validations", "expression"],
  messageExpression: ["validations", "messageExpression"],
  auditAnnotation: ["auditAnnotations", "valueExpression"],
  applyConfiguration: ["mutations", "applyConfiguration", "expression"],
  jsonPatch: ["mutations", "jsonPatch", "expression"],
};

/** From the root of the resource: `["spec", "validations", 0, "expression"]`. */
export function expressionPath(
  kind: ExpressionPlace["kind"],
  index: number,
  webhook?: ExpressionOwner["webhook"],
): readonly (string | number)[] {
  const [list, ...fields] = FIELDS[kind];
  const root = webhook === undefined ? ["spec"] : ["webhooks", webhook.index];
  return [...root, list, index, ...fields];
}

/** The list that contains the expression: `validations`. */
export function expressionList(kind: ExpressionPlace["kind"]): string {
  return FIELDS[kind][0];
}
