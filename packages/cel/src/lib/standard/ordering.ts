// `<`, `<=`, `>`, `>=`: four operators over the same list of types. Between the numeric types they are a library of their
// own, which an environment may leave out.

import { compareBytes, compareStrings, type Order } from "@celadon/base";
import { fixed, scanLesser } from "../../cost/formulas.ts";
import { compareNumbers, compareTimes } from "../../value/compare.ts";
import type { CelError } from "../../value/error.ts";
import { BOOL, BYTES, DOUBLE, DURATION, INT, type Int, STRING, TIMESTAMP, type Type, UINT } from "../../value/type.ts";
import { fn, type Overload, operator } from "../library.ts";

interface Relation {
  readonly name: string;
  /** The beginning of the overload ids. */
  readonly id: string;
  readonly integers: (a: Int, b: Int) => boolean;
  readonly holds: (order: Order) => boolean;
}

// biome-ignore format: one relation per line
const RELATIONS: readonly Relation[] = [
  { name: "_<_",  id: "less",           integers: (a, b) => a < b,  holds: (order) => order < 0 },
  { name: "_<=_", id: "less_equals",    integers: (a, b) => a <= b, holds: (order) => order <= 0 },
  { name: "_>_",  id: "greater",        integers: (a, b) => a > b,  holds: (order) => order > 0 },
  { name: "_>=_", id: "greater_equals", integers: (a, b) => a >= b, holds: (order) => order >= 0 },
];

// biome-ignore format: one overload per line
function sameType({ name, id, integers, holds }: Relation): Overload[] {
  return [
    fn(name, `${id}_bool`,      [BOOL, BOOL],           BOOL, fixed(1),     (a, b) => holds(compareBools(a, b))),
    fn(name, `${id}_int64`,     [INT, INT],             BOOL, fixed(1),     integers),
    fn(name, `${id}_uint64`,    [UINT, UINT],           BOOL, fixed(1),     integers),
    fn(name, `${id}_double`,    [DOUBLE, DOUBLE],       BOOL, fixed(1),     checked(holds)),
    fn(name, `${id}_string`,    [STRING, STRING],       BOOL, scanLesser(), (a, b) => holds(compareStrings(a, b))),
    fn(name, `${id}_bytes`,     [BYTES, BYTES],         BOOL, scanLesser(), (a, b) => holds(compareBytes(a, b))),
    fn(name, `${id}_timestamp`, [TIMESTAMP, TIMESTAMP], BOOL, fixed(1),     (a, b) => holds(compareTimes(a, b))),
    fn(name, `${id}_duration`,  [DURATION, DURATION],   BOOL, fixed(1),     (a, b) => holds(compareTimes(a, b))),
  ];
}

/** Type, its part of an id, and the part of the type whose row comes next. */
const NUMERIC: readonly (readonly [Type<Int, unknown>, string, string])[] = [
  [INT, "int64", "uint64"],
  [DOUBLE, "double", "string"],
  [UINT, "uint64", "double"],
];

/** Each after the row of its left type: where an operand's type is open, the first row that fits decides it. */
function acrossTypes({ name, id, integers, holds }: Relation): Overload[] {
  return NUMERIC.flatMap(([left, leftId, nextId]) =>
    NUMERIC.filter(([right]) => right !== left).map(([right, rightId]) => {
      const exact = left !== DOUBLE && right !== DOUBLE;
      const call = exact ? integers : checked(holds);
      const row = fn(name, `${id}_${leftId}_${rightId}`, [left, right], BOOL, fixed(1), call);
      return { ...row, before: `${id}_${nextId}` };
    }),
  );
}

/** Doubles may be NaN, which has no order. */
function checked(holds: (order: Order) => boolean): (a: Int, b: Int) => boolean | CelError {
  return (a, b) => {
    const order = compareNumbers(a, b);
    return typeof order === "number" ? holds(order) : order;
  };
}

const compareBools = (a: boolean, b: boolean): Order => (a === b ? 0 : a ? 1 : -1);

export const ordering: readonly Overload[] = RELATIONS.flatMap(sameType).map(operator);
export const numericOrdering: readonly Overload[] = RELATIONS.flatMap(acrossTypes).map(operator);
