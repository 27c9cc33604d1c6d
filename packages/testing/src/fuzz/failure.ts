// The result of a trial: the expressions that failed with an input. A key stands for "the same failure": shrinking must not wander off to
// another one, and the same is reported once.

import { CelError, type ErrorCode, type Program } from "@celadon/cel";
import { type Expr, nodesOf } from "@celadon/cel/ast";
import type { FuzzedExpression, FuzzFinding } from "./finding.ts";
import type { Input } from "./inputs.ts";

export interface Failure {
  readonly key: string;
  readonly expression: FuzzedExpression;
  readonly problem: FuzzFinding["problem"];
  readonly message: string;
  readonly code: ErrorCode;
  readonly cost: number;
  readonly position?: NonNullable<FuzzFinding["position"]>;
}

/** Undefined for an input that a server would reject, or that no policy matches. */
export type Trial = (input: Input) => Tried | undefined;

export interface Tried {
  readonly failures: readonly Failure[];
  /** The cost of all expressions together, a measure of time. */
  readonly cost: number;
}

export function failureOf(expression: FuzzedExpression, program: Program, error: CelError, cost: number): Failure {
  const { code, message, node } = error;
  const problem = code === "cost_limit" ? "limit" : "error";
  const blamed = linkToBlame(program.ast.expr, error);
  const span = program.ast.spans.get(blamed);
  const at = program.locate(new CelError(code, message, blamed));
  // A chain of fields is one node, which any of them may be missing from; a key that is data makes no failure of its own.
  const missing = code === "no_such_key" ? (error.key ?? "") : "";
  const key = [...placeKey(expression), code, node, expression.text.includes(missing) ? missing : ""].join("\n");
  const failure: Failure = { key, expression, problem, message, code, cost };
  return span && at ? { ...failure, position: { line: at.line, column: at.column, offset: span.at } } : failure;
}

/** Errors of a chain of fields and indices are blamed on its end; the link that failed is where to look. */
function linkToBlame(root: Expr, { key, node }: CelError): number {
  if (key === undefined) return node;
  for (let link = nodesOf(root).get(node); link !== undefined; ) {
    if (link.kind === "select") {
      if (link.field === key) return link.id;
      link = link.operand;
    } else if (link.kind === "call" && link.function === "_[_]") {
      const [operand, index] = link.args;
      if (index?.kind === "literal" && String(index.value) === key) return link.id;
      link = operand;
    } else break;
  }
  return node;
}

/** A group of expressions that cost too much together; `expression` is the one that exceeded the budget. */
export function overBudget(expression: FuzzedExpression, cost: number, message: string): Failure {
  return { key: `budget\n${expression.kind}`, expression, problem: "budget", message, code: "cost_limit", cost };
}

function placeKey({ kind, index, name = "", version = "", schemaPath = [] }: FuzzedExpression): readonly unknown[] {
  return [kind, index, name, version, ...schemaPath];
}
