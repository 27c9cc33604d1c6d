// The standard macros: has, all, exists, exists_one, map, filter.

import { ACCUMULATOR, type Expr, WRITABLE_ACCUMULATOR } from "../ast/expr.ts";
import type { Issue } from "../ast/issue.ts";
import { MACRO_WORDS } from "./issues.ts";
import type { ExprFactory, Macro } from "./macro.ts";

type Expand = Macro["expand"];

export const STANDARD_MACROS: readonly Macro[] = [
  { name: "has", arity: 1, receiver: false, expand: expandHas },
  receiver("all", 2, quantifier(all)),
  receiver("exists", 2, quantifier(exists)),
  receiver("exists_one", 2, quantifier(existsOne)),
  receiver("map", 2, expandMap),
  receiver("map", 3, expandMap),
  receiver("filter", 2, expandFilter),
];

/** `exists_one` under its newer name; the reference has it as a standard macro, Kubernetes' environment has it not. */
export const EXISTS_ONE_ALIAS: Macro = receiver("existsOne", 2, quantifier(existsOne));

export function receiver(name: string, arity: number, expand: Expand): Macro {
  return { name, arity, receiver: true, expand };
}

/** The parts of a fold besides its range and variables, made in this order. */
export interface FoldParts {
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** True while no element is false; an error is kept until one is. */
export function all(make: ExprFactory, predicate: Expr): FoldParts {
  const init = make.literal(true);
  const condition = make.call("@not_strictly_false", make.accuIdent());
  const step = make.call("_&&_", make.accuIdent(), predicate);
  return { init, condition, step, result: make.accuIdent() };
}

export function exists(make: ExprFactory, predicate: Expr): FoldParts {
  const init = make.literal(false);
  const condition = make.call("@not_strictly_false", make.call("!_", make.accuIdent()));
  const step = make.call("_||_", make.accuIdent(), predicate);
  return { init, condition, step, result: make.accuIdent() };
}

/** Counts, and goes on to the end: errors are not absorbed. */
export function existsOne(make: ExprFactory, predicate: Expr): FoldParts {
  const init = make.literal(0);
  const condition = make.literal(true);
  const counted = make.call("_+_", make.accuIdent(), make.literal(1));
  const step = make.call("_?_:_", predicate, counted, make.accuIdent());
  return { init, condition, step, result: make.call("_==_", make.accuIdent(), make.literal(1)) };
}

export const overwritesAccumulator = (name: string): boolean => name === ACCUMULATOR || name === WRITABLE_ACCUMULATOR;

/** The loop variable's name, or an issue about it. */
function variable(make: ExprFactory, arg: Expr, notAName: string): string | Issue {
  if (arg.kind !== "ident") return make.issue(notAName, arg);
  return make.hiddenAccumulator && overwritesAccumulator(arg.name)
    ? make.issue(MACRO_WORDS.overwritesAccumulator, arg)
    : arg.name;
}

function expandHas(make: ExprFactory, _: Expr | undefined, args: readonly Expr[]): Expr | Issue {
  const arg = args[0]!;
  // `has(has(a.b))` is a presence test of a presence test upstream too: a test is a selection
  if (arg.kind !== "select") return make.issue(MACRO_WORDS.has, arg);
  return make.presenceTest(arg.operand, arg.field);
}

function quantifier(parts: (make: ExprFactory, predicate: Expr) => FoldParts): Expand {
  return (make, target, args) => {
    const name = variable(make, args[0]!, MACRO_WORDS.simpleName);
    if (typeof name !== "string") return name;
    const { init, condition, step, result } = parts(make, args[1]!);
    return make.fold(target!, name, "", undefined, init, condition, step, result);
  };
}

function expandMap(make: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | Issue {
  const name = variable(make, args[0]!, MACRO_WORDS.identifier);
  if (typeof name !== "string") return name;
  const init = make.list();
  const condition = make.literal(true);
  let step = make.call("_+_", make.accuIdent(), make.list(args.at(-1)!));
  if (args.length === 3) step = make.call("_?_:_", args[1]!, step, make.accuIdent());
  return make.fold(target!, name, "", undefined, init, condition, step, make.accuIdent());
}

function expandFilter(make: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | Issue {
  const [element, predicate] = [args[0]!, args[1]!];
  const name = variable(make, element, MACRO_WORDS.identifier);
  if (typeof name !== "string") return name;
  const init = make.list();
  const condition = make.literal(true);
  const kept = make.call("_+_", make.accuIdent(), make.list(element));
  const step = make.call("_?_:_", predicate, kept, make.accuIdent());
  return make.fold(target!, name, "", undefined, init, condition, step, make.accuIdent());
}
