// A spelling for `cel.@block` that can be typed: `cel.block([values], result)`, `cel.index(n)` for its values, and names for the hidden
// variables of folds. For tests of optimised expressions, with the names that optimisers choose.

import type { Expr } from "../ast/expr.ts";
import type { Macro } from "../parse/macro.ts";
import { DYN, type Type } from "../value/type.ts";
import { bindingsLibrary } from "./bindings.ts";
import type { Library } from "./library.ts";
import { namespaced } from "./namespace.ts";

const block: Macro = namespaced("cel", "block", 2, (make, _target, args) => {
  const [values, result] = args;
  if (values === undefined || result === undefined) return undefined;
  if (values.kind !== "list") return make.issue("cel.block requires the first arg to be a list literal", values);
  return make.call("cel.@block", values, result);
});

const index: Macro = namespaced("cel", "index", 1, (make, _target, args) => {
  const at = smallInt(args[0]);
  return at === undefined
    ? make.issue("cel.index requires a single non-negative int constant arg", args[0])
    : make.ident(indexName(at));
});

/** `prefix:depth:number`, unique per nesting depth and type. */
const foldVariable = (name: string, prefix: string): Macro =>
  namespaced("cel", name, 2, (make, _target, args) => {
    const [depth, number] = [smallInt(args[0]), smallInt(args[1])];
    if (depth === undefined || number === undefined) {
      return make.issue(
        `cel.${name} requires two non-negative int constant args`,
        depth === undefined ? args[0] : args[1],
      );
    }
    return make.ident(`${prefix}:${depth}:${number}`);
  });

const smallInt = (expr: Expr | undefined): number | undefined =>
  expr?.kind === "literal" && typeof expr.value === "number" && Number.isSafeInteger(expr.value) && expr.value >= 0
    ? expr.value
    : undefined;

/** The variable that holds value `at` of a block. */
export const indexName = (at: number): string => `@index${at}`;

/** Declarations of the first `count` values of a block: known to the checker by name only. */
export function blockVariables(count = 50): ReadonlyMap<string, Type> {
  return new Map(Array.from({ length: count }, (_, at) => [indexName(at), DYN]));
}

/** Includes `cel.bind` and the declaration of `cel.@block`; declare `blockVariables` with it. */
export const blockLibrary: Library = {
  name: "cel.lib.test.block",
  macros: [
    ...(bindingsLibrary().macros ?? []),
    block,
    index,
    foldVariable("iterVar", "@it"),
    foldVariable("accuVar", "@ac"),
  ],
  overloads: bindingsLibrary().overloads,
};
