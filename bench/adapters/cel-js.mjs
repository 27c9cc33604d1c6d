// cel-js: a parser and an evaluator over its syntax tree; nothing is checked or planned.

import { evaluate, parse } from "cel-js";

export const name = "cel-js";

export function compile(source) {
  const parsed = parse(source);
  if (!parsed.isSuccess) throw new Error(parsed.errors.join("; "));
  return (vars) => evaluate(parsed.cst, vars);
}

export const stages = { parse, check: null, plan: null };
