// Comprehensions over (index, element) or (key, value): all, exists, existsOne, transformList, transformMap,
// transformMapEntry.

import type { Expr } from "../ast/expr.ts";
import type { Issue } from "../ast/issue.ts";
import { MACRO_WORDS } from "./issues.ts";
import type { ExprFactory, Macro } from "./macro.ts";
import { all, exists, existsOne, type FoldParts, overwritesAccumulator, receiver } from "./macros.ts";

/** Puts a new entry, or every entry of a map, into the accumulated map; a duplicate key is an error. */
const MAP_INSERT = "cel.@mapInsert";

export const TWO_VARIABLE_MACROS: readonly Macro[] = [
  receiver("all", 3, quantifier(all)),
  receiver("exists", 3, quantifier(exists)),
  receiver("existsOne", 3, quantifier(existsOne)),
  receiver("exists_one", 3, quantifier(existsOne)),
  ...[3, 4].flatMap((arity) => [
    receiver(
      "transformList",
      arity,
      transform((make) => make.list(), appendStep),
    ),
    receiver(
      "transformMap",
      arity,
      transform((make) => make.map(), insertStep),
    ),
    receiver(
      "transformMapEntry",
      arity,
      transform((make) => make.map(), mergeStep),
    ),
  ]),
];

type Variables = { readonly first: string; readonly second: string };

function variables(make: ExprFactory, args: readonly Expr[]): Variables | Issue {
  const [first, second] = [args[0]!, args[1]!];
  if (first.kind !== "ident") return make.issue(MACRO_WORDS.simpleName, first);
  if (second.kind !== "ident") return make.issue(MACRO_WORDS.simpleName, second);
  if (first.name === second.name) return make.issue(MACRO_WORDS.duplicate(first.name), second);
  if (overwritesAccumulator(first.name)) return make.issue(MACRO_WORDS.overwritesAccumulator, first);
  if (overwritesAccumulator(second.name)) return make.issue(MACRO_WORDS.overwritesAccumulator, second);
  return { first: first.name, second: second.name };
}

function quantifier(parts: (make: ExprFactory, predicate: Expr) => FoldParts): Macro["expand"] {
  return (make, target, args) => {
    const names = variables(make, args);
    if ("code" in names) return names;
    const { init, condition, step, result } = parts(make, args[2]!);
    return make.fold(target!, names.first, names.second, undefined, init, condition, step, result);
  };
}

/** `(v1, v2, [filter,] transform)`: `add` makes the step that takes one transformed element in. */
function transform(
  empty: (make: ExprFactory) => Expr,
  add: (make: ExprFactory, names: Variables, made: Expr) => Expr,
): Macro["expand"] {
  return (make, target, args) => {
    const names = variables(make, args);
    if ("code" in names) return names;
    let step = add(make, names, args.at(-1)!);
    if (args.length === 4) step = make.call("_?_:_", args[2]!, step, make.accuIdent());
    const init = empty(make);
    const condition = make.literal(true);
    return make.fold(target!, names.first, names.second, undefined, init, condition, step, make.accuIdent());
  };
}

function appendStep(make: ExprFactory, _: Variables, made: Expr): Expr {
  return make.call("_+_", make.accuIdent(), make.list(made));
}

function insertStep(make: ExprFactory, names: Variables, made: Expr): Expr {
  return make.call(MAP_INSERT, make.accuIdent(), make.ident(names.first), made);
}

function mergeStep(make: ExprFactory, _: Variables, made: Expr): Expr {
  return make.call(MAP_INSERT, make.accuIdent(), made);
}
