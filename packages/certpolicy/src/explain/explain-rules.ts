// Why the rules of a policy had their results for a request: each as a tree, with values, costs and where they come from.

import type { CelError, Recorder, Value } from "@celadon/cel";
import { type DataPath, dataPathText, type Explained, explained, Recording } from "@celadon/cel/explain";
import { evaluateAllowed } from "../evaluate/allowed.ts";
import type { CertificateEvaluation } from "../evaluate/result.ts";
import type { CertificateRequest, CertificateRequestPolicy } from "../resource.ts";
import { RuleCache } from "../rules/cache.ts";
import type { CertificateRuleObserver, CertificateRulePlace } from "../rules/observe.ts";
import { RULE_COST_LIMIT, type Rule } from "../rules/rule.ts";

/** Paths in its tree are those of the request, as far as `cr` was read; `self` is the attribute's value. */
export interface ExplainedCertificateRule extends Explained, CertificateRulePlace {
  /** The share of the limit for one evaluation. There is no common budget. */
  readonly shareOfLimit: number;
}

/** The results of the rules of a policy for a request, and why. */
export interface CertificateRuleExplanation {
  /** The result of the `allowed` approver for policy and request. */
  readonly evaluation: CertificateEvaluation;
  /** In the order they ran, one for each value of a rule. */
  readonly expressions: readonly ExplainedCertificateRule[];
  readonly cost: number;
}

/** Evaluates the rules of one policy, whether or not it is selected for the request. */
export function explainRules(
  policy: CertificateRequestPolicy,
  request: CertificateRequest,
  rules: RuleCache = new RuleCache(),
): CertificateRuleExplanation {
  const observer = new RuleExplainer();
  const evaluation = evaluateAllowed(policy, request, rules, observer);
  const { expressions } = observer;
  return { evaluation, expressions, cost: expressions.reduce((sum, { cost }) => sum + cost, 0) };
}

/** Explains every rule that is evaluated while it watches. */
export class RuleExplainer implements CertificateRuleObserver {
  readonly expressions: ExplainedCertificateRule[] = [];
  #recording: Recording | undefined;

  recorder(_place: CertificateRulePlace, { program }: Rule): Recorder {
    this.#recording = new Recording(program.ast.expr);
    return this.#recording;
  }

  result(
    place: CertificateRulePlace,
    { program }: Rule,
    value: Value | CelError | undefined,
    error: string | undefined,
    cost: number,
  ): void {
    const recording = this.#recording;
    if (recording === undefined) return;
    this.expressions.push({
      ...place,
      ...explained(program, { recording, value, error, cost }, { pathText: requestPathText }),
      shareOfLimit: cost / RULE_COST_LIMIT,
    });
  }
}

/** The places in a CertificateRequest of the fields of `cr`. */
const REQUEST_FIELDS: ReadonlyMap<string | number | undefined, readonly string[]> = new Map([
  ["name", ["metadata", "name"]],
  ["namespace", ["metadata", "namespace"]],
  ["username", ["spec", "username"]],
  ["groups", ["spec", "groups"]],
]);

function requestPathText(path: DataPath): string {
  return dataPathText(requestPath(path));
}

/** Converts a path that begins at `cr` to a path in the request; other paths stay unchanged. */
export function requestPath({ root, path }: DataPath): DataPath {
  const [field, ...below] = path;
  const place = root === "cr" ? REQUEST_FIELDS.get(field) : undefined;
  return place === undefined ? { root, path } : { root: "object", path: [...place, ...below] };
}
