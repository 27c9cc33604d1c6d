// One requirement on labels: a key, an operator and values. Checked when made, matched without further checks.

import { compareStrings, pushAll } from "@celadon/base";
import { type FieldError, fieldErrorsText, invalidValue, JsonShown, notSupported } from "../field-error.ts";
import { FieldPath } from "../field-path.ts";
import { Invalid } from "../invalid.ts";
import { checkLabelValue, checkQualifiedName } from "../names.ts";

/** Operators in the order upstream lists them. */
export const SELECTOR_OPERATORS = ["in", "notin", "=", "==", "!=", "gt", "lt", "exists", "!"] as const;

/** An operator of label selectors. */
export type SelectorOperator = (typeof SELECTOR_OPERATORS)[number];

/** One part of a selector: a key, an operator and values. */
export interface Requirement {
  readonly key: string;
  readonly operator: SelectorOperator;
  readonly values: readonly string[];
}

/** A set of labels, read by own keys only. */
export type Labels = Readonly<Record<string, string>>;

/** Makes a requirement, or returns the error of labels.NewRequirement. */
export function makeRequirement(
  key: string,
  operator: SelectorOperator,
  values: readonly string[],
  path: FieldPath = FieldPath.root,
): Requirement | Invalid {
  const errors: FieldError[] = [];
  const keyError = labelKeyError(key, path.child("key"));
  if (keyError !== undefined) errors.push(keyError);
  const valuesPath = path.child("values");
  pushAll(errors, valueCountErrors(operator, values, valuesPath, path));
  values.forEach((value, i) => {
    const problems = checkLabelValue(value);
    if (problems.length > 0) errors.push(invalidValue(valuesPath.index(i).key(key), value, problems.join("; ")));
  });
  return errors.length > 0 ? new Invalid(fieldErrorsText(errors)) : { key, operator, values };
}

export function labelKeyError(key: string, path: FieldPath): FieldError | undefined {
  const problems = checkQualifiedName(key);
  return problems.length > 0 ? invalidValue(path, key, problems.join("; ")) : undefined;
}

function valueCountErrors(
  operator: SelectorOperator,
  values: readonly string[],
  valuesPath: FieldPath,
  path: FieldPath,
): FieldError[] {
  switch (operator) {
    case "in":
    case "notin":
      if (values.length > 0) return [];
      return [invalidValue(valuesPath, null, "for 'in', 'notin' operators, values set can't be empty")];
    case "=":
    case "==":
    case "!=":
      if (values.length === 1) return [];
      return [invalidValue(valuesPath, values, "exact-match compatibility requires one single value")];
    case "exists":
    case "!":
      if (values.length === 0) return [];
      return [invalidValue(valuesPath, values, "values set must be empty for exists and does not exist")];
    case "gt":
    case "lt":
      return orderErrors(values, valuesPath);
    default:
      return [notSupported(path.child("operator"), new JsonShown(operator), SELECTOR_OPERATORS)];
  }
}

function orderErrors(values: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (values.length !== 1) {
    errors.push(invalidValue(path, values, "for 'Gt', 'Lt' operators, exactly one value is required"));
  }
  values.forEach((value, i) => {
    if (parseInt64(value) !== undefined) return;
    errors.push(invalidValue(path.index(i), value, "for 'Gt', 'Lt' operators, the value must be an integer"));
  });
  return errors;
}

/** Whether labels meet a requirement. */
export function matchesRequirement(requirement: Requirement, labels: Labels): boolean {
  const { key, operator, values } = requirement;
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "in":
    case "=":
    case "==":
      return value !== undefined && values.includes(value);
    case "notin":
    case "!=":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case "gt":
    case "lt":
      return value !== undefined && values.length === 1 && compares(operator, value, values[0]!);
  }
}

function compares(operator: "gt" | "lt", label: string, bound: string): boolean {
  const x = parseInt64(label);
  const y = parseInt64(bound);
  if (x === undefined || y === undefined) return false;
  return operator === "gt" ? x > y : x < y;
}

const INTEGER = /^[+-]?[0-9]+$/;

/** strconv.ParseInt(text, 10, 64). */
function parseInt64(text: string): bigint | undefined {
  if (!INTEGER.test(text)) return undefined;
  const n = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return BigInt.asIntN(64, n) === n ? n : undefined;
}

/** The requirement as selector text; several values are sorted. */
export function requirementText(requirement: Requirement): string {
  const { key, operator, values } = requirement;
  const shown = values.length === 1 ? values[0]! : [...values].sort(compareStrings).join(",");
  switch (operator) {
    case "!":
      return `!${key}`;
    case "exists":
      return key;
    case "in":
    case "notin":
      return `${key} ${operator} (${shown})`;
    case "gt":
      return `${key}>${shown}`;
    case "lt":
      return `${key}<${shown}`;
    default:
      return `${key}${operator}${shown}`;
  }
}
