// Errors of match conditions: names, and expressions that compile to bool in the environment webhooks have.

import { BOOL } from "@celadon/cel";
import { checkQualifiedName, duplicateValue, type FieldError, type FieldPath, internalFieldError, invalidValue, requiredValue, tooMany } from "@celadon/kube";
import { compileExpression } from "@celadon/kube-cel";
import { withEnvironment } from "../environments.ts";
import { trimSpace } from "../go-text.ts";
import type { MatchCondition } from "../policy.ts";

export const MAX_MATCH_CONDITIONS = 64;

/** `known` are expressions that are stored already: what was valid once stays so. */
export function validateConditions(conditions: readonly MatchCondition[], path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  const errors: FieldError[] = [];
  if (conditions.length > MAX_MATCH_CONDITIONS) errors.push(tooMany(path, conditions.length, MAX_MATCH_CONDITIONS));
  const names = new Set<string>();
  for (const [i, { name = "", expression = "" }] of conditions.entries()) {
    const at = path.index(i);
    errors.push(...validateExpression(trimSpace(expression), at.child("expression"), known));
    if (name === "") errors.push(requiredValue(at.child("name")));
    else errors.push(...checkQualifiedName(name).map((problem) => invalidValue(at.child("name"), name, problem)));
    if (name !== "" && names.has(name)) errors.push(duplicateValue(at.child("name"), name));
    names.add(name);
  }
  return errors;
}

function validateExpression(expression: string, path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  if (expression === "") return [requiredValue(path)];
  const mode = known.has(expression) ? "storedExpressions" : "newExpressions";
  const declared = { params: false, authorizer: true, variables: false, mode } as const;
  const compiled = withEnvironment(declared, new Map(), (env) => compileExpression(env, expression, { returnTypes: [BOOL] }));
  if (compiled.ok) return [];
  return compiled.kind === "internal" ? [internalFieldError(path, compiled.message)] : [invalidValue(path, expression, compiled.message)];
}
