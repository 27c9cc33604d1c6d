// Errors of the API servers of the requested versions of Kubernetes: reported once if the current version rejects the resource
// too, otherwise with the versions that reject it and the first that does not.

import type { JsonPath } from "@celadon/base";
import { type ExpressionIssue, type FieldError, fieldErrorBody } from "@celadon/kube/errors";
import { CURRENT, compareMinors, type Minor, minorsBetween } from "@celadon/kube-cel";
import { type AcceptedSetUp, acceptSetUp } from "@celadon/simulator";
import { type Manifest, quotingHelp } from "@celadon/simulator/manifests";
import { compileHelp } from "../help/compile-help.ts";
import { withoutConsequences } from "../help/consequences.ts";
import { CostHelp } from "../help/cost-help.ts";
import { misspelt } from "../help/error-help.ts";
import type { Vocabulary } from "../help/vocabulary.ts";
import { type LintProblem, problem } from "../problem.ts";
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
    const path = unreadable?.steps ?? [];
    return [problem("unreadable", manifest, path, status?.message ?? "", { help: quotingHelp(manifest, path) })];
  }
  const answers = new Map<Minor, readonly FieldError[]>([[CURRENT, current.errors]]);
  const errorsOf = (minor: Minor): readonly FieldError[] => {
    const known = answers.get(minor) ?? acceptSetUp(object, { kubeVersion: minor })?.errors ?? [];
    answers.set(minor, known);
    return known;
  };
  const lasting = new Set(current.errors.map(keyOf));
  const costs = new CostHelp(manifest, current);
  const refusals = new Map<string, Refusal>();
  for (const minor of minors) {
    for (const refusal of errorsOf(minor).flatMap((error) => refusalsBy(error, lasting, vocabulary))) {
      const known = refusals.get(refusal.key);
      if (known === undefined) refusals.set(refusal.key, { ...refusal, minors: [minor] });
      else known.minors.push(minor);
    }
  }
  return [...refusals.values()].flatMap(({ key, error, issue, minors: refusing }) => {
    if (lasting.has(key)) return refused(manifest, current, error, costs, vocabulary);
    const isGone = (minor: Minor): boolean =>
      !errorsOf(minor).some((fieldError) =>
        refusalsBy(fieldError, lasting, vocabulary).some((other) => other.key === key),
      );
    const first = minorsBetween(refusing.at(-1)!, CURRENT).find(isGone);
    return [notInMinor(manifest, error, issue, refusing, first)];
  });
}

/** A cause for which minors reject: an error, or one issue of an expression. */
interface Refusal {
  readonly key: string;
  readonly error: FieldError;
  readonly issue?: ExpressionIssue | undefined;
  readonly minors: Minor[];
}

/** Words of the same complaint may differ between minors. */
const keyOf = ({ path, type }: FieldError): string => `${type} ${path}`;

/** An expression may be refused for one reason by one version, and for another by the next; refusals by the current one are one problem. */
function refusalsBy(error: FieldError, lasting: ReadonlySet<string>, vocabulary: Vocabulary): Refusal[] {
  const key = keyOf(error);
  const issues = error.expression && !lasting.has(key) ? withoutConsequences(error.expression, vocabulary) : [];
  if (issues.length === 0) return [{ key, error, minors: [] }];
  const byPlace = issues.map((issue) => ({
    key: JSON.stringify([key, issue.code, issue.name, issue.span?.at]),
    error,
    issue,
    minors: [],
  }));
  return [...new Map(byPlace.map((item) => [item.key, item])).values()];
}

/** The part of an expression that an issue is about. */
interface Spot {
  readonly path: JsonPath;
  readonly offset?: number;
  readonly length?: number;
}

function spotOf({ expression }: FieldError, { span }: ExpressionIssue): Spot {
  const { steps: path, text, offset } = expression!;
  if (span === undefined) return { path };
  const at = Math.max(0, span.at);
  return { path, offset: offset + at, length: wordLength(text, at) };
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
    return withoutConsequences(expression, vocabulary).map((issue) => {
      const { path: at, ...place } = spotOf(error, issue);
      // The API server's message about the whole says more than the issue.
      const message = issue.code === "wrong_result_type" || issue.code === "invalid_constant" ? detail : issue.message;
      const help = compileHelp(issue, expression.text, accepted, at, vocabulary);
      const cause = isWithoutParamKind(issue, accepted) ? { cause: NO_PARAM_KIND } : {};
      return problem("compile_error", manifest, at, message, { ...place, ...cause, help });
    });
  }
  if (error.code === "cost_over_limit") {
    return [problem("cost_over_limit", manifest, path.steps, detail, costs.of(path.steps))];
  }
  const at = path.steps.length === 0 ? "" : `${path.writtenText()}: `;
  return [
    problem("invalid_field", manifest, path.steps, `${at}${shortBody(error)}`, {
      help: misspelt(error, manifest),
    }),
  ];
}

/** The cause of every `undeclared reference to 'params'` of a policy. */
export const NO_PARAM_KIND = "no paramKind";

function isWithoutParamKind({ code, name }: ExpressionIssue, { role }: AcceptedSetUp): boolean {
  return code === "undeclared_reference" && name === "params" && (role === "policy" || role === "mutatingPolicy");
}

function notInMinor(
  manifest: Manifest,
  error: FieldError,
  issue: ExpressionIssue | undefined,
  refusing: readonly Minor[],
  first: Minor | undefined,
): LintProblem {
  const { path, ...place } = issue ? spotOf(error, issue) : { path: error.path.steps };
  const what = issue?.message ?? shortBody(error);
  const message = `${minorsText(refusing)} ${refusing.length === 1 ? "rejects" : "reject"} it: ${what}`;
  const help = first === undefined ? undefined : `${first} and later accept it`;
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
