// Validates the status of a policy. An update of the status validates nothing else.

import { utf8Length } from "@celadon/base";
import {
  duplicateValue,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  JsonShown,
  notSupported,
  requiredValue,
  tooLong,
} from "@celadon/kube/errors";
import { checkQualifiedName, patternProblem } from "@celadon/kube/names";
import { trimSpace } from "../../evaluate/go-text.ts";
import type { Condition, ExpressionWarning, ValidatingAdmissionPolicyStatus } from "../../policy.ts";
import { jsonPathProblem } from "./json-path.ts";

const STATUSES = ["False", "True", "Unknown"];
const MAX_REASON_BYTES = 1024;
const MAX_MESSAGE_BYTES = 32 * 1024;
const REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const REASON_WORDS =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
const REASON_EXAMPLES = ["my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB"];
const reasonPattern = new RegExp(`^${REASON}$`);

/** Errors of the status of a policy, as the API server reports them. */
export function validatePolicyStatus(status: ValidatingAdmissionPolicyStatus): FieldError[] {
  const path = fieldPath("status");
  const warnings = status.typeChecking?.expressionWarnings ?? [];
  const at = path.child("typeChecking", "expressionWarnings");
  return [
    ...warnings.flatMap((warning, i) => warningErrors(warning, at.index(i))),
    ...conditionsErrors(status.conditions ?? [], path.child("conditions")),
  ];
}

function warningErrors({ warning, fieldRef }: ExpressionWarning, path: FieldPath): FieldError[] {
  const errors = warning === "" ? [requiredValue(path.child("warning"))] : [];
  const at = path.child("fieldRef");
  const ref = trimSpace(fieldRef);
  if (ref === "") return [...errors, requiredValue(at)];
  const problem = jsonPathProblem(ref);
  return problem === undefined ? errors : [...errors, invalidValue(at, ref, `invalid JSONPath: ${problem}`)];
}

function conditionsErrors(conditions: readonly Condition[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap((condition, i) => {
    const { type } = condition;
    const duplicate = seen.has(type) ? [duplicateValue(path.index(i).child("type"), type)] : [];
    seen.add(type);
    return [...duplicate, ...conditionErrors(condition, path.index(i))];
  });
}

function conditionErrors(condition: Condition, path: FieldPath): FieldError[] {
  const { type, status, observedGeneration = 0, lastTransitionTime, reason = "", message = "" } = condition;
  const errors = checkQualifiedName(type).map((problem) => invalidValue(path.child("type"), type, problem));
  if (!STATUSES.includes(status)) errors.push(notSupported(path.child("status"), new JsonShown(status), STATUSES));
  if (observedGeneration < 0) {
    const detail = "must be greater than or equal to zero";
    errors.push(invalidValue(path.child("observedGeneration"), observedGeneration, detail));
  }
  if (!lastTransitionTime) errors.push(requiredValue(path.child("lastTransitionTime")));
  errors.push(...reasonErrors(reason, path.child("reason")));
  if (utf8Length(message) > MAX_MESSAGE_BYTES) errors.push(tooLong(path.child("message"), MAX_MESSAGE_BYTES));
  return errors;
}

function reasonErrors(reason: string, path: FieldPath): FieldError[] {
  if (reason === "") return [requiredValue(path)];
  const errors: FieldError[] = [];
  if (!reasonPattern.test(reason))
    errors.push(invalidValue(path, reason, patternProblem(REASON_WORDS, REASON, ...REASON_EXAMPLES)));
  if (utf8Length(reason) > MAX_REASON_BYTES) errors.push(tooLong(path, MAX_REASON_BYTES));
  return errors;
}
