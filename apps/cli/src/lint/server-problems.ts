// What API servers of the minors that were asked for refuse: once for all where the current one refuses it too, and else with the
// minors that do and the first that does not.

import { type FieldError, fieldErrorBody, gvkOf } from "@celadon/kube";
import { builtinSchema, checkShape } from "@celadon/kube/builtin";
import { CURRENT, compareMinors, type Minor, minorsBetween } from "@celadon/kube-cel";
import { fieldPathIn, type Manifest, valueAt } from "@celadon/simulator";
import { shownIssues } from "./cel-issues.ts";
import { compileHelp } from "./compile-help.ts";
import { CostHelp } from "./cost-help.ts";
import { writtenField } from "./hoisted.ts";
import { type Judged, judge } from "./judge.ts";
import { type LintProblem, type Path, problem } from "./problem.ts";

export function serverProblems(manifest: Manifest, current: Judged, minors: readonly Minor[]): LintProblem[] {
  const { object } = manifest;
  if (current.unreadable !== undefined) {
    return [problem("unreadable", manifest, unreadablePath(manifest), current.unreadable)];
  }
  const answers = new Map<Minor, readonly FieldError[]>([[CURRENT, current.errors]]);
  const errorsOf = (minor: Minor): readonly FieldError[] => {
    const known = answers.get(minor) ?? judge(object, minor)?.errors ?? [];
    answers.set(minor, known);
    return known;
  };
  const refusals = new Map<string, { readonly error: FieldError; readonly minors: Minor[] }>();
  for (const minor of minors) {
    for (const error of errorsOf(minor)) {
      const known = refusals.get(keyOf(error));
      if (known === undefined) refusals.set(keyOf(error), { error, minors: [minor] });
      else known.minors.push(minor);
    }
  }
  const lasting = new Set(current.errors.map(keyOf));
  const costs = new CostHelp(manifest, current);
  return [...refusals].flatMap(([key, { error, minors: refusing }]) => {
    if (lasting.has(key)) return refused(manifest, current, error, costs);
    const last = refusing.at(-1)!;
    const first = minorsBetween(last, CURRENT).find((minor) => !errorsOf(minor).some((one) => keyOf(one) === key));
    return notInMinor(manifest, error, refusing, first);
  });
}

/** The first value of a wrong type. */
function unreadablePath({ object }: Manifest): Path {
  const schema = builtinSchema({ ...gvkOf(object), version: "v1" });
  const shape = schema === undefined ? [] : checkShape(object, schema);
  return shape.find(({ code }) => code === "wrong_type" || code === "invalid_value")?.path ?? [];
}

/** Words of the same complaint may differ between minors. */
const keyOf = ({ path, type }: FieldError): string => `${type} ${path}`;

function refused(manifest: Manifest, judged: Judged, error: FieldError, costs: CostHelp): LintProblem[] {
  const { path, expression, shift } = locate(manifest, error);
  const issues = expression === undefined ? [] : shownIssues(error.detail, expression.slice(shift));
  if (issues.length > 0) {
    return issues.map(({ offset, length, message }) => {
      const help = compileHelp(message, expression!.slice(offset + shift), judged, path);
      return problem("compile_error", manifest, path, message, { offset: offset + shift, length, help });
    });
  }
  if (COST.test(error.detail)) {
    return [problem("cost_over_limit", manifest, path, error.detail, costs.of(writtenField(error.path.toString())))];
  }
  const code = expression !== undefined && COMPILE.test(error.detail) ? "compile_error" : "invalid_field";
  const at = error.path.steps.length === 0 ? "" : `${writtenField(error.path.toString())}: `;
  const message = code === "compile_error" ? error.detail : `${at}${shortBody(error)}`;
  return [problem(code, manifest, path, message, { help: fieldHelp(error) })];
}

const COST = /exceeds budget by factor|exceeding cost limit/;
const COMPILE =
  /must evaluate to|wanted bool result type|program instantiation failed|messageExpression instantiation failed/;

function notInMinor(
  manifest: Manifest,
  error: FieldError,
  refusing: readonly Minor[],
  first: Minor | undefined,
): LintProblem[] {
  const { path, expression, shift } = locate(manifest, error);
  const [issue] = expression === undefined ? [] : shownIssues(error.detail, expression.slice(shift));
  const what = issue?.message ?? shortBody(error);
  const message = `${minorsText(refusing)} ${refusing.length === 1 ? "refuses" : "refuse"} it: ${what}`;
  const help = first === undefined ? undefined : `the first minor that takes it is ${first}`;
  const place = issue === undefined ? {} : { offset: issue.offset + shift, length: issue.length };
  return [problem("not_in_minor", manifest, path, message, { ...place, help })];
}

/** `1.30`, `1.30 and 1.32`, `1.30 to 1.33`. */
export function minorsText(minors: readonly Minor[]): string {
  const sorted = [...minors].sort(compareMinors);
  const [first, last] = [sorted[0]!, sorted.at(-1)!];
  if (sorted.length > 2 && minorsBetween(first, last).length === sorted.length) return `${first} to ${last}`;
  return sorted.length < 2 ? first : `${sorted.slice(0, -1).join(", ")} and ${last}`;
}

interface Located {
  readonly path: Path;
  /** The text at the path, when there is one. */
  readonly expression: string | undefined;
  /** What is left out at the start of the text before it is compiled. */
  readonly shift: number;
}

function locate({ object }: Manifest, error: FieldError): Located {
  const path = error.path.steps.length === 0 ? [] : fieldPathIn(writtenField(error.path.toString()), object);
  const value = valueAt(object, path);
  // Errors of certificate rules name the entry, and not the field in it.
  const rule = valueAt(value, ["rule"]);
  if (typeof rule === "string" && path.includes("validations")) {
    return { path: [...path, "rule"], expression: rule, shift: 0 };
  }
  if (typeof value !== "string") return { path, expression: undefined, shift: 0 };
  const isTrimmed = path.includes("matchConditions") || path.at(-1) === "valueExpression";
  return { path, expression: value, shift: isTrimmed ? value.length - value.trimStart().length : 0 };
}

const LONG = 200;

/** Without the value where it is long: it stands in the file. */
function shortBody(error: FieldError): string {
  const body = fieldErrorBody(error);
  if (body.length <= LONG || error.detail === "") return body;
  return fieldErrorBody({ ...error, type: "FieldValueForbidden" }).replace(/^Forbidden: /, "");
}

function fieldHelp({ type, detail }: FieldError): string | undefined {
  if (detail === "not a valid selector operator") return 'use one of "In", "NotIn", "Exists", "DoesNotExist"';
  const supported = type === "FieldValueNotSupported" ? /^supported values: (.*)$/.exec(detail)?.[1] : undefined;
  return supported === undefined ? undefined : `use one of ${supported}`;
}
