// Explanations: the results of all policies for a request, and why. Expressions are interpreted with a recorder, which takes
// longer than admission; the decisions are the same. The result is data, which hosts print.

import type { CelError, Recorder, Value } from "@celadon/cel";
import { type Explained, explained, Recording } from "@celadon/cel/explain";
import { PerCallLimit, RuntimeCELCostBudget, RuntimeCELCostBudgetMatchConditions } from "@celadon/kube-cel";
import { admitEntries } from "./admit.ts";
import type { Expression, ExpressionOwner } from "./compile/compile.ts";
import type { AdmissionReport } from "./decide/report.ts";
import type { EvaluationObserver, ExpressionPlace } from "./evaluate/expressions.ts";
import type { Hosts } from "./hosts.ts";
import type { AdmissionRequest } from "./request.ts";
import type { PolicyEntry } from "./set/policy-set.ts";

/** An expression, its result, and the reasons. */
export interface ExplainedExpression extends Explained {
  readonly kind: ExpressionPlace["kind"];
  /** Position among the policy's expressions of the kind. */
  readonly index: number;
  /** The name of a match condition or variable. */
  readonly name?: string;
  /** Shares of two limits: the cost of one expression, and the budget of its group. */
  readonly shareOfLimit: number;
  readonly shareOfBudget: number;
  /** Variables that were evaluated because this expression read them first. */
  readonly variables: readonly ExplainedExpression[];
}

/** An expression that ran for itself, not because another read it. */
export interface OwnedExpression extends ExplainedExpression {
  /** Name of the policy, or of the webhook configuration. */
  readonly policy: string;
  readonly owner: ExpressionOwner;
}

/** A report together with the reasons for the result of every expression. */
export interface Explanation {
  readonly report: AdmissionReport;
  /** In the order they ran; `report.verdicts` says for which binding and params. */
  readonly expressions: readonly OwnedExpression[];
}

/** Explains the results of the given policies for a request. Pass the `entries()` of a set to learn why policies do not match. */
export async function explain(
  request: AdmissionRequest,
  entries: readonly PolicyEntry[],
  hosts: Hosts = {},
): Promise<Explanation> {
  const observer = new ExplainingObserver();
  const report = await admitEntries(request, entries, hosts, { observer });
  return { report, expressions: observer.finished };
}

interface Open {
  readonly recording: Recording;
  readonly variables: ExplainedExpression[];
}

/** Explains every expression that is evaluated while it watches: hand it to `admit`, `selectWebhooks` and their like. */
export class ExplainingObserver implements EvaluationObserver {
  readonly finished: OwnedExpression[] = [];
  readonly #open: Open[] = [];
  #begun = 0;

  discard(): void {
    this.#open.pop();
  }

  begin(): void {
    this.#begun = this.finished.length;
  }

  restart(): void {
    this.finished.length = this.#begun;
    this.#open.length = 0;
  }

  recorder(_place: ExpressionPlace, { program }: Expression): Recorder | undefined {
    if (program === undefined) return undefined;
    const recording = new Recording(program.ast.expr);
    this.#open.push({ recording, variables: [] });
    return recording;
  }

  result(
    place: ExpressionPlace,
    expression: Expression,
    value: Value | CelError | undefined,
    error: string | undefined,
    cost: number,
  ): void {
    const open = this.#open.pop();
    const { program } = expression;
    if (open === undefined || program === undefined) return;
    const { kind, index, owner, name = nameOf(expression) } = place;
    const explainedExpression: ExplainedExpression = {
      kind,
      index,
      ...(name !== undefined && { name }),
      ...explained(program, { recording: open.recording, value, error, cost }),
      shareOfLimit: cost / PerCallLimit,
      shareOfBudget: cost / budgetOf(place),
      variables: open.variables,
    };
    const reader = this.#open.at(-1);
    if (kind === "variable" && reader !== undefined) reader.variables.push(explainedExpression);
    else this.finished.push({ ...explainedExpression, policy: owner.name, owner });
  }
}

function nameOf(expression: Expression): string | undefined {
  return "name" in expression && typeof expression.name === "string" ? expression.name : undefined;
}

function budgetOf({ kind, readBy }: ExpressionPlace): number {
  return (readBy ?? kind) === "matchCondition" ? RuntimeCELCostBudgetMatchConditions : RuntimeCELCostBudget;
}
