// Where the expressions of a policy stand in its manifest.

const FIELDS = {
  matchCondition: ["matchConditions", "expression"],
  variable: ["variables", "expression"],
  validation: ["validations", "expression"],
  messageExpression: ["validations", "messageExpression"],
  auditAnnotation: ["auditAnnotations", "valueExpression"],
} as const;

export type PolicyExpressionKind = keyof typeof FIELDS;

/** `["spec", "validations", 0, "expression"]` */
export function expressionPath(kind: PolicyExpressionKind, index: number): readonly (string | number)[] {
  const [list, field] = FIELDS[kind];
  return ["spec", list, index, field];
}

/** The list it stands in: `validations`. */
export function expressionList(kind: PolicyExpressionKind): string {
  return FIELDS[kind][0];
}
