// Label selectors: from text, from LabelSelector objects, and matched against labels.

import { compareStrings, pushAll, quoteGo } from "@celadon/base";
import { type Emulation, emulationOf } from "../emulation.ts";
import { type FieldError, forbiddenField, invalidValue, JsonShown, requiredValue } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { Invalid } from "../invalid.ts";
import { MAX_FIELD_ERRORS } from "../limits.ts";
import { checkLabelValue, checkQualifiedName } from "../names.ts";
import { parseLabelRequirements } from "./label-parser.ts";
import {
  type Labels,
  makeRequirement,
  matchesRequirement,
  type Requirement,
  requirementText,
  type SelectorOperator,
} from "./requirement.ts";

/** The API's LabelSelector. */
export interface LabelSelectorObject {
  readonly matchLabels?: Labels | null;
  readonly matchExpressions?: readonly LabelSelectorRequirement[] | null;
}

/** One expression of a label selector. */
export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | null;
}

/** Requirements that must all hold. */
export class LabelSelector {
  static readonly everything: LabelSelector = new LabelSelector([]);
  static readonly nothing: LabelSelector = new LabelSelector([], false);

  readonly requirements: readonly Requirement[];
  /** False for the selector that matches nothing at all. */
  readonly selectable: boolean;

  constructor(requirements: readonly Requirement[], selectable = true) {
    this.requirements = requirements;
    this.selectable = selectable;
  }

  /** Matches labels; absent labels are an empty set. */
  matches(labels: Labels | null | undefined): boolean {
    if (!this.selectable) return false;
    const set = labels ?? NO_LABELS;
    for (const requirement of this.requirements) {
      if (!matchesRequirement(requirement, set)) return false;
    }
    return true;
  }

  /** Whether the selector leaves everything in. */
  get isEmpty(): boolean {
    return this.selectable && this.requirements.length === 0;
  }

  toString(): string {
    return this.requirements.map(requirementText).join(",");
  }
}

const NO_LABELS: Labels = {};

/** Reads a label selector such as `app in (a, b)`. */
export function parseLabelSelector(text: string, path?: FieldPath): LabelSelector | Invalid {
  const requirements = parseLabelRequirements(text, path);
  return requirements instanceof Invalid ? requirements : new LabelSelector(requirements);
}

const OBJECT_OPERATORS: ReadonlyMap<string, SelectorOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

/** The selector of a LabelSelector object: an absent one matches nothing, an empty one everything. */
export function toLabelSelector(object: LabelSelectorObject | null | undefined): LabelSelector | Invalid {
  if (object === null || object === undefined) return LabelSelector.nothing;
  const requirements: Requirement[] = [];
  for (const [key, value] of sortedLabels(object.matchLabels)) {
    const requirement = makeRequirement(key, "=", [value]);
    if (requirement instanceof Invalid) return requirement;
    requirements.push(requirement);
  }
  for (const expression of object.matchExpressions ?? []) {
    const operator = OBJECT_OPERATORS.get(expression.operator ?? "");
    if (operator === undefined) {
      return new Invalid(`${quoteGo(expression.operator ?? "")} is not a valid label selector operator`);
    }
    const requirement = makeRequirement(expression.key ?? "", operator, expression.values ?? []);
    if (requirement instanceof Invalid) return requirement;
    requirements.push(requirement);
  }
  if (requirements.length === 0) return LabelSelector.everything;
  return new LabelSelector(requirements.sort((a, b) => compareStrings(a.key, b.key)));
}

/** Errors of a LabelSelector object. Labels are validated in the order of their keys. */
export function validateLabelSelector(
  object: LabelSelectorObject | null | undefined,
  path: FieldPath,
  by: Emulation = emulationOf(),
): FieldError[] {
  if (object === null || object === undefined) return [];
  const errors = validateLabels(object.matchLabels, path.child("matchLabels"), by);
  for (const [i, expression] of (object.matchExpressions ?? []).entries()) {
    if (errors.length >= MAX_FIELD_ERRORS) break;
    pushAll(errors, validateExpression(expression, path.child("matchExpressions").index(i), by));
  }
  return errors;
}

function validateExpression(expression: LabelSelectorRequirement, path: FieldPath, by: Emulation): FieldError[] {
  const errors: FieldError[] = [];
  const values = expression.values ?? [];
  const operator = OBJECT_OPERATORS.get(expression.operator ?? "");
  if (operator === undefined) {
    const shown = new JsonShown(expression.operator ?? "");
    const error = invalidValue(path.child("operator"), shown, "not a valid selector operator");
    errors.push({ ...error, supported: [...OBJECT_OPERATORS.keys()] });
  } else if (operator === "in" || operator === "notin") {
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    if (values.length === 0) errors.push(requiredValue(path.child("values"), detail));
  } else if (values.length > 0) {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    errors.push(forbiddenField(path.child("values"), detail));
  }
  const key = expression.key ?? "";
  for (const problem of checkQualifiedName(key, by)) errors.push(invalidValue(path.child("key"), key, problem));
  for (const [i, value] of values.entries()) {
    if (errors.length >= MAX_FIELD_ERRORS) break;
    for (const problem of checkLabelValue(value, by)) {
      errors.push({ ...invalidValue(path.child("values").index(i), value, problem), code: "label_value" });
    }
  }
  return errors;
}

/** Errors of labels. */
export function validateLabels(
  labels: Labels | null | undefined,
  path: FieldPath,
  by: Emulation = emulationOf(),
): FieldError[] {
  const errors: FieldError[] = [];
  if (areGood(labels)) return errors;
  for (const [key, value] of sortedLabels(labels)) {
    if (errors.length >= MAX_FIELD_ERRORS) break;
    for (const problem of checkQualifiedName(key, by)) errors.push(invalidValue(path, key, problem));
    for (const problem of checkLabelValue(value, by)) {
      errors.push({ ...invalidValue(path, value, problem), code: "label_value" });
    }
  }
  return errors;
}

/** Most labels are: their order matters only where something is wrong. */
function areGood(labels: Labels | null | undefined): boolean {
  if (labels === null || labels === undefined) return true;
  for (const key of Object.keys(labels)) {
    if (checkQualifiedName(key).length > 0 || checkLabelValue(labels[key]!).length > 0) return false;
  }
  return true;
}

// Upstream walks a Go map, in no particular order.
function sortedLabels(labels: Labels | null | undefined): [string, string][] {
  return Object.entries(labels ?? {}).sort((a, b) => compareStrings(a[0], b[0]));
}
