// The answer of an environment to a vector, in the form that vectors are recorded in.

import type { Env } from "@celadon/cel";
import { compileExpression } from "./compile.ts";
import { tag, type Vector } from "./vectors.testing.ts";

const ABSENT = { object: null, oldObject: null, params: null, request: null, namespaceObject: null };

/** The recorded answer for an expression, or the present one. */
export type Outcome = {
  readonly [K in "compileError" | "type" | "value" | "error" | "cost"]?: Vector[K] | undefined;
};

export function outcomeIn(env: Env, vector: Vector, mode: "interpreted" | "compiled"): Outcome {
  const compiled = compileExpression(env, vector.expr, { mode });
  if (!compiled.ok) return { compileError: compiled.message };
  const { value, error, cost } = compiled.program.evaluate({ ...ABSENT, ...vector.vars });
  const type = String(compiled.checked.type);
  return error === undefined ? { type, cost, value: tag(value) } : { type, cost, error: error.message };
}

export function recordedOutcome({ compileError, type, value, error, cost }: Outcome): Outcome {
  if (compileError !== undefined) return { compileError };
  return error === undefined ? { type, cost, value } : { type, cost, error };
}

export function isSameOutcome(a: Outcome, b: Outcome): boolean {
  return JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));
}

const inOrder = ({ compileError, type, cost, error, value }: Outcome): unknown => [
  compileError,
  type,
  cost,
  error,
  value,
];
