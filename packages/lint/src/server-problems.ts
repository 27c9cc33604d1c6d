// What API servers of the minors that were asked for refuse: once for all where the current one refuses it too, and else with the
// minors that do and the first that does not.

import type { JsonPath } from "@celadon/base";
import { type ExpressionIssue, type FieldError, fieldErrorBody } from "@celadon/kube";
import { CURRENT, compareMinors, type Minor, minorsBetween } from "@celadon/kube-cel";
import { type AcceptedSetUp, acceptSetUp, type Manifest } from "@celadon/simulator";
import { compileHelp } from "./compile-help.ts";
import { CostHelp } from "./cost-help.ts";
import { type LintProblem, problem } from "./problem.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { wordLength } from "./word-length.ts";

export function serverProblems(
  manifest: Manifest,
  current: AcceptedSetUp,
  minors: readonly Minor[],
  vocabulary: Vocabulary,
): LintProblem[] {
  const { object } = manifest;
  const { resource, status, unreadable } = current;
  if (resource === undefined) {
    // A version that is not served is named by its minors.
    if (status?.code === 404) return [];
    return [problem("unreadable", manifest, unreadable?.steps ?? [], status?.message ?? "")];
  }
  const answers = new Map<Minor, readonly FieldError[]>([[CURRENT, current.errors]]);
  const errorsOf = (minor: Minor): readonly FieldError[] => {
    const known = answers.get(minor) ?? acceptSetUp(object, { kubeVersion: minor })?.errors ?? [];
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
    if (lasting.has(key)) return refused(manifest, current, error, costs, vocabulary);
    const last = refusing.at(-1)!;
    const first = minorsBetween(last, CURRENT).find((minor) => !errorsOf(minor).some((one) => keyOf(one) === key));
    return [notInMinor(manifest, error, refusing, first)];
  });
}

/** Words of the same complaint may differ between minors. */
const keyOf = ({ path, type }: FieldError): string => `${type} ${path}`;

/** The part of an expression that an issue is about. */
interface Spot {
  readonly path: JsonPath;
  readonly offset?: number;
  readonly length?: number;
  /** What is written from there on. */
  readonly rest: string;
}

function spotOf({ expression }: FieldError, { span }: ExpressionIssue): Spot {
  const { steps: path, text, offset } = expression!;
  if (span === undefined) return { path, rest: text };
  const at = Math.max(0, span.at);
  return { path, offset: offset + at, length: wordLength(text, at), rest: text.slice(at) };
}

function refused(
  manifest: Manifest,
  accepted: AcceptedSetUp,
  error: FieldError,
  costs: CostHelp,
  vocabulary: Vocabulary,
): LintProblem[] {
  const { path, expression, detail } = error;
  if (expression !== undefined) {
    return expression.issues.map((issue) => {
      const { rest, path: at, ...place } = spotOf(error, issue);
      // The API server says more of what is wrong with the whole than the issue does.
      const message = issue.code === "wrong_result_type" || issue.code === "invalid_constant" ? detail : issue.message;
      const help = compileHelp(issue, rest, accepted, at, vocabulary);
      return problem("compile_error", manifest, at, message, { ...place, help });
    });
  }
  if (error.code === "cost_over_limit") {
    return [problem("cost_over_limit", manifest, path.steps, detail, costs.of(path.steps))];
  }
  const at = path.steps.length === 0 ? "" : `${path.writtenText()}: `;
  return [problem("invalid_field", manifest, path.steps, `${at}${shortBody(error)}`, { help: supportedHelp(error) })];
}

function notInMinor(
  manifest: Manifest,
  error: FieldError,
  refusing: readonly Minor[],
  first: Minor | undefined,
): LintProblem {
  const [issue] = error.expression?.issues ?? [];
  const { rest: _, path, ...place } = issue ? spotOf(error, issue) : { rest: "", path: error.path.steps };
  const what = issue?.message ?? shortBody(error);
  const message = `${minorsText(refusing)} ${refusing.length === 1 ? "refuses" : "refuse"} it: ${what}`;
  const help = first === undefined ? undefined : `the first minor that takes it is ${first}`;
  return problem("not_in_minor", manifest, path, message, { ...place, help });
}

/** `1.30`, `1.30 and 1.32`, `1.30 to 1.33`. */
export function minorsText(minors: readonly Minor[]): string {
  const sorted = [...minors].sort(compareMinors);
  const [first, last] = [sorted[0]!, sorted.at(-1)!];
  if (sorted.length > 2 && minorsBetween(first, last).length === sorted.length) return `${first} to ${last}`;
  return sorted.length < 2 ? first : `${sorted.slice(0, -1).join(", ")} and ${last}`;
}

const LONG = 200;

/** Without the value where it is long: it stands in the file. */
function shortBody(error: FieldError): string {
  const body = fieldErrorBody(error);
  return body.length <= LONG || error.detail === "" ? body : error.detail;
}

function supportedHelp({ supported = [] }: FieldError): string | undefined {
  return supported.length === 0 ? undefined : `use one of ${supported.map((one) => `"${one}"`).join(", ")}`;
}
