// Match conditions, of policies and of webhooks.

import { pushAll } from "@celadon/base";
import {
  duplicateValue,
  type FieldError,
  type FieldPath,
  invalidValue,
  requiredValue,
  tooMany,
} from "@celadon/kube/errors";
import { checkQualifiedName } from "@celadon/kube/names";
import { trimSpace } from "../../evaluate/go-text.ts";
import type { MatchCondition } from "../../policy.ts";
import { EXPRESSION_TYPES, type ExpressionChecks } from "../expression-checks.ts";

const MAX_CONDITIONS = 64;

/** `stored`: expressions the object had before, as they were written. The new ones are looked for without the space around. */
export function validateMatchConditions(
  conditions: readonly MatchCondition[],
  path: FieldPath,
  checks: ExpressionChecks,
  stored: ReadonlySet<string>,
): FieldError[] {
  const errors: FieldError[] =
    conditions.length > MAX_CONDITIONS ? [tooMany(path, conditions.length, MAX_CONDITIONS)] : [];
  const names = new Set<string>();
  conditions.forEach((condition, i) => {
    const { name } = condition;
    pushAll(errors, conditionErrors(condition, path.index(i), checks, stored));
    if (name === "") return;
    if (names.has(name)) errors.push(duplicateValue(path.index(i).child("name"), name));
    names.add(name);
  });
  return errors;
}

function conditionErrors(
  { name, expression }: MatchCondition,
  path: FieldPath,
  checks: ExpressionChecks,
  stored: ReadonlySet<string>,
): FieldError[] {
  const text = trimSpace(expression);
  const at = path.child("expression");
  const mode = stored.has(text) ? "storedExpressions" : "newExpressions";
  const inExpression =
    text === ""
      ? [requiredValue(at)]
      : checks.check(
          { text, written: expression, path: at, returnTypes: EXPRESSION_TYPES.condition, mode, authorizer: true },
          false,
        );
  const inName =
    name === ""
      ? [requiredValue(path.child("name"))]
      : checkQualifiedName(name, checks.by).map((problem) => invalidValue(path.child("name"), name, problem));
  return [...inExpression, ...inName];
}
