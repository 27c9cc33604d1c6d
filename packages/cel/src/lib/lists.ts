// ext.Lists: slice, flatten, sort, sortBy, range, reverse, distinct. Upstream: cel-go ext/lists.go.

import type { CostFormula } from "../cost/formula.ts";
import { fixed } from "../cost/formulas.ts";
import type { Macro } from "../parse/macro.ts";
import type { List } from "../value/collection/list.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  param,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from "../value/type.ts";
import { before, fn, type Library, method, type Overload, unguarded } from "./library.ts";
import {
  distinctCost,
  flattenCost,
  flattenCostBefore29,
  rangeCost,
  rangeCostBefore29,
  reverseCost,
  sliceCost,
  sortByCost,
  sortCost,
} from "./list/list-costs.ts";
import {
  distinct,
  flatten,
  flattenBefore29,
  rangeBefore29,
  rangeList,
  reverse,
  slice,
  sort,
  sortBy,
} from "./list/list-functions.ts";
import { sortByMacro } from "./list/sort-by-macro.ts";

const ELEM = param("T");
const LIST: Type<List> = listOf(ELEM);
const NESTED: Type = listOf(listOf(ELEM));
const ANY_LIST: Type = listOf(DYN);
const COMPARABLE: readonly Type[] = [INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES];

/** `sort` for each type that has an order, and the function that `sortBy` becomes. */
const sortRows = (cost: (formula: CostFormula) => CostFormula): readonly Overload[] =>
  COMPARABLE.flatMap((type) => {
    const list: Type = listOf(type);
    const text = type === STRING || type === BYTES;
    return [
      unguarded(method("sort", `list_${type.name}_sort`, [list], list, cost(sortCost(text)), sort)),
      unguarded(
        method(
          "@sortByAssociatedKeys",
          `list_${type.name}_sortByAssociatedKeys`,
          [LIST, list],
          LIST,
          cost(sortByCost(text)),
          sortBy,
        ),
      ),
    ];
  });

/** Version 1 adds flatten, version 2 sorting, ranges, reverse and distinct, version 3 costs. */
export function listsLibrary(version = 3): Library {
  const cost = (formula: CostFormula): CostFormula => (version >= 3 ? formula : fixed(1));
  const macros: Macro[] = [];
  const older: Overload[] = [];
  // biome-ignore format: one overload per line
  const overloads: Overload[] = [
    // name  overload id  arguments  result  cost  implementation
    method("slice", "list_slice", [LIST, INT, INT], LIST, cost(sliceCost), slice),
  ];
  if (version >= 1) {
    // biome-ignore format: one overload per line
    overloads.push(
      unguarded(method("flatten", "list_flatten",     [NESTED],        LIST,     cost(flattenCost), flatten)),
      unguarded(method("flatten", "list_flatten_int", [ANY_LIST, INT], ANY_LIST, cost(flattenCost), flatten)),
    );
    // biome-ignore format: one overload per line
    older.push(
      before(29, unguarded(method("flatten", "list_flatten",     [NESTED],        LIST,     cost(flattenCostBefore29), flattenBefore29))),
      before(29, unguarded(method("flatten", "list_flatten_int", [ANY_LIST, INT], ANY_LIST, cost(flattenCostBefore29), flattenBefore29))),
    );
  }
  if (version >= 2) {
    // biome-ignore format: one overload per line
    overloads.push(
      ...sortRows(cost),
      fn("lists.range",  "lists_range",   [INT],  listOf(INT) as Type, cost(rangeCost),    rangeList),
      method("reverse",  "list_reverse",  [LIST], LIST,                cost(reverseCost),  reverse),
      method("distinct", "list_distinct", [LIST], LIST,                cost(distinctCost), distinct),
    );
    older.push(
      before(29, fn("lists.range", "lists_range", [INT], listOf(INT) as Type, cost(rangeCostBefore29), rangeBefore29)),
    );
    macros.push(sortByMacro);
  }
  return { name: "cel.lib.ext.lists", version, overloads, older, macros };
}
