// One variable of a policy. Two of the same name are accepted, as upstream.

import { type FieldError, type FieldPath, invalidValue, requiredValue } from "@celadon/kube/errors";
import { trimSpace } from "../../evaluate/go-text.ts";
import type { Variable } from "../../policy.ts";
import { EXPRESSION_TYPES, type ExpressionChecks } from "../expression-checks.ts";
import { modeOf, type StoredExpressions } from "./stored-expressions.ts";

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const RESERVED: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

export function validateVariable(
  { name, expression }: Variable,
  path: FieldPath,
  checks: ExpressionChecks,
  stored: StoredExpressions,
): FieldError[] {
  const errors: FieldError[] = [];
  if (trimSpace(name) === "") errors.push(requiredValue(path.child("name"), "name is not specified"));
  else if (!IDENTIFIER.test(name) || RESERVED.has(name)) {
    errors.push(invalidValue(path.child("name"), name, "must be a valid CEL identifier"));
  }
  const at = path.child("expression");
  if (trimSpace(expression) === "") return [...errors, requiredValue(at, "expression is not specified")];
  const mode = modeOf(stored.validations, expression);
  const field = { text: expression, path: at, returnTypes: EXPRESSION_TYPES.variable, mode, authorizer: true };
  return [...errors, ...checks.addVariable(name, field)];
}
