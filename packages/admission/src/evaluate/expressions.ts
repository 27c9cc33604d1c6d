// Evaluating a group of expressions under one budget: validations, messages, match conditions, audit annotations. Nothing short-circuits:
// every expression runs until the budget is spent. Upstream: apiserver pkg/admission/plugin/cel.

import { type CelError, type EvaluateOptions, isError, type Program, type Value } from "@celadon/cel";
import type { ExpressionObserver } from "@celadon/cel/explain";
import type { Expression, ExpressionOwner } from "../compile/compile.ts";
import type { Activation, LazyVariables } from "./variables.ts";

/** The expression of a policy or webhook. */
export interface ExpressionPlace {
  readonly owner: ExpressionOwner;
  readonly kind:
    | "matchCondition"
    | "variable"
    | "validation"
    | "messageExpression"
    | "auditAnnotation"
    | "applyConfiguration"
    | "jsonPatch";
  /**
   * Position among the owner's expressions of the kind: a message has the position of its validation, a patch the position of its mutation.
   */
  readonly index: number;
  /**
   * The name of a variable, and the expressions among which it is read. Each
   * of those groups evaluates its own.
   */
  readonly name?: string;
  readonly readBy?: Exclude<ExpressionPlace["kind"], "variable">;
}

/** Watches evaluations, for explanations and coverage. */
export interface EvaluationObserver extends ExpressionObserver<ExpressionPlace, Expression> {
  /** The evaluation begun last does not count: it will be repeated. */
  discard(): void;
  /** A policy's expressions begin, for one binding. */
  begin(): void;
  /** Discards the records since `begin`; evaluation repeats, with the answers of the authorizer so far. */
  restart(): void;
}

/** The result and the cost of an expression. */
export interface ExpressionResult {
  /** Undefined when there is an error. */
  readonly value: Value | undefined;
  /** The error as the API server shows it: `expression '…' resulted in error: …`. */
  readonly error: string | undefined;
  /** The expression's own cost, without variables. */
  readonly cost: number;
}

export interface GroupResult {
  /** One per expression; undefined if it cannot be evaluated. */
  readonly results: readonly (ExpressionResult | undefined)[];
  readonly remaining: number;
  /** Set when the group as a whole failed: then no result of it counts. */
  readonly failure: string | undefined;
}

export const OUT_OF_BUDGET =
  "validation failed due to running out of cost budget, no further validation rules will be run";

export interface GroupOptions {
  readonly owner: ExpressionOwner;
  readonly kind: NonNullable<ExpressionPlace["readBy"]>;
  readonly budget: number;
  readonly options: EvaluateOptions | undefined;
  readonly observer: EvaluationObserver | undefined;
  /** Results of programs over the same activation, where other policies may have the same: it is added to. */
  readonly known?: Map<Program, ExpressionResult> | undefined;
}

export function evaluateGroup(
  expressions: readonly (Expression | undefined)[],
  activation: Activation,
  variables: LazyVariables,
  { owner, kind, budget, options, observer, known }: GroupOptions,
): GroupResult {
  const results: (ExpressionResult | undefined)[] = [];
  let remaining = budget;
  for (let index = 0; index < expressions.length; index++) {
    const expression = expressions[index];
    if (expression === undefined) {
      results.push(undefined);
      continue;
    }
    const { program } = expression;
    if (program === undefined) {
      results.push({ value: undefined, error: `compilation error: ${expression.error}`, cost: 0 });
      continue;
    }
    const before = known?.get(program);
    if (before !== undefined) {
      remaining -= before.cost;
      if (remaining < 0) return { results, remaining: -1, failure: OUT_OF_BUDGET };
      results.push(before);
      continue;
    }
    const watch = observer && { observer, place: { owner, kind, index }, expression };
    const { value, error, cost } = runSettled(program, activation, variables, options, watch);
    const text =
      error === undefined ? undefined : `expression '${expression.text}' resulted in error: ${error.message}`;
    watch?.observer.result(watch.place, expression, error ?? value, text, cost);
    // The cost of variables comes first, then the cost of the expression itself.
    remaining -= variables.takeCost();
    if (remaining >= 0) remaining -= cost;
    if (remaining < 0) return { results, remaining: -1, failure: OUT_OF_BUDGET };
    if (text !== undefined) {
      results.push({ value: undefined, error: text, cost });
      continue;
    }
    const result = { value, error: undefined, cost };
    results.push(result);
    known?.set(program, result);
  }
  return { results, remaining, failure: undefined };
}

/** Whether every expression is true, within the budget: `evaluateGroup` without results, and without anybody who watches. */
export function allHold(
  expressions: readonly Expression[],
  activation: Activation,
  variables: LazyVariables,
  { budget, options, known }: Pick<GroupOptions, "budget" | "options" | "known">,
): boolean {
  let remaining = budget;
  for (const { program } of expressions) {
    if (program === undefined) return false;
    let result = known?.get(program);
    if (result === undefined) {
      const { value, error, cost } = runSettled(program, activation, variables, options, undefined);
      if (error !== undefined) return false;
      result = { value, error, cost };
      known?.set(program, result);
      remaining -= variables.takeCost();
    }
    remaining -= result.cost;
    if (remaining < 0 || result.value !== true) return false;
  }
  return true;
}

/** An expression that is watched. */
interface Watch {
  readonly observer: EvaluationObserver;
  readonly place: ExpressionPlace;
  readonly expression: Expression;
}

// Begun again as often as chains of variables need to be evaluated first; only the last evaluation counts.
function runSettled(
  program: Program,
  activation: Activation,
  variables: LazyVariables,
  options: EvaluateOptions | undefined,
  watch: Watch | undefined,
): ReturnType<typeof run> {
  for (;;) {
    const recorder = watch?.observer.recorder(watch.place, watch.expression);
    const outcome = run(program, activation, recorder === undefined ? options : { ...options, recorder });
    if (!variables.unsettled) return outcome;
    watch?.observer.discard();
    variables.settle();
  }
}

// Always an outcome, even if values of the host throw.
function run(
  program: Program,
  activation: Activation,
  options: EvaluateOptions | undefined,
): { value: Value | undefined; error: CelError | undefined; cost: number } {
  const outcome = program.evaluate(activation, options);
  return isError(outcome.value) ? { value: undefined, error: outcome.value, cost: outcome.cost } : outcome;
}
