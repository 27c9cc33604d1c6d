// ext.Sets: lists seen as sets. Upstream: cel-go ext/sets.go.

import type { CostFormula } from "../cost/formula.ts";
import { costs, lateSizeOf } from "../cost/formulas.ts";
import { add, multiply, ONE, scale } from "../cost/range.ts";
import { listContains } from "../value/collection/contains.ts";
import { type List, listGet, listSize } from "../value/collection/list.ts";
import type { CelError } from "../value/error.ts";
import { ownSize } from "../value/size/size.ts";
import { BOOL, listOf, param } from "../value/type.ts";
import { ListValue, type Value } from "../value/value.ts";
import { fn, type Library } from "./library.ts";
import { Membership } from "./list/membership.ts";

/** Every element with every element, `times` over. */
const pairs = (times: number): CostFormula =>
  costs({
    text: `1 + ${times === 1 ? "" : `${times} · `}{0} · {1}`,
    estimate: (args) => ({ cost: add(scale(multiply(lateSizeOf(args, 0), lateSizeOf(args, 1)), times), ONE) }),
    fromArguments: true,
    actual: (args) => 1 + ownSize(args[0]) * ownSize(args[1]) * times,
  });

const T = listOf(param("T"));

/** `sets.contains`, `sets.equivalent` and `sets.intersects`. */
// biome-ignore format: one overload per line
export const setsLibrary: Library = {
  name: "cel.lib.ext.sets",
  overloads: [
    // name               overload id                  arguments  result  cost      implementation
    fn("sets.contains",   "list_sets_contains_list",   [T, T],    BOOL,   pairs(1), contains),
    fn("sets.equivalent", "list_sets_equivalent_list", [T, T],    BOOL,   pairs(2), equivalent),
    fn("sets.intersects", "list_sets_intersects_list", [T, T],    BOOL,   pairs(1), intersects),
  ],
};

/** Below this many comparisons, looking through the list is cheaper than building a table of it. */
const FEW = 32;

/** Chooses how to search a list for its elements: its own way if it has one. */
function finder(list: List, questions: number): (elem: Value) => boolean | CelError {
  if ((list instanceof ListValue && list.contains !== undefined) || listSize(list) * questions <= FEW) {
    return (elem) => listContains(list, elem);
  }
  const members = Membership.of(list);
  return (elem) => members.has(elem);
}

function contains(list: List, sub: List): boolean | CelError {
  const size = listSize(sub);
  const find = finder(list, size);
  for (let i = 0; i < size; i++) {
    const found = find(listGet(sub, i));
    if (found !== true) return found;
  }
  return true;
}

function equivalent(a: List, b: List): boolean | CelError {
  const forth = contains(a, b);
  return forth === true ? contains(b, a) : forth;
}

function intersects(a: List, b: List): boolean {
  const size = listSize(a);
  const find = finder(b, size);
  for (let i = 0; i < size; i++) if (find(listGet(a, i)) === true) return true;
  return false;
}
