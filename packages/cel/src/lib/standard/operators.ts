// Operators of the standard library: logic, equality, arithmetic, membership, indexing.
// Rows without an implementation are evaluated by the planner itself, which must not evaluate all of their operands.

import { concatenation, elements, fixed, scanLesser, scanSum } from "../../cost/formulas.ts";
import { concatBytes } from "../../value/bytes.ts";
import type { AnyMap } from "../../value/collection/any-map.ts";
import { listContains, mapContains } from "../../value/collection/contains.ts";
import { concatLists } from "../../value/collection/list.ts";
import { equal } from "../../value/equal.ts";
import * as int from "../../value/int.ts";
import { concatTexts } from "../../value/text/concat-texts.ts";
import { addDurations, addTimestamp, subDurations, subTimestamp, timestampDifference } from "../../value/time/time.ts";
import { BOOL, BYTES, DOUBLE, DURATION, INT, listOf, mapOf, param, STRING, TIMESTAMP, UINT } from "../../value/type.ts";
import type { Value } from "../../value/value.ts";
import { fn, nonStrict, type Overload, operator } from "../library.ts";

const A = param("A");
const B = param("B");
const LIST_A = listOf(A);
const MAP_AB = mapOf(A, B);

const inMap = (key: Value, map: unknown) => mapContains(map as AnyMap, key);

// biome-ignore format: one overload per line
const rows: readonly Overload[] = [
  // Logic: operands are evaluated only when needed, and a deciding operand absorbs errors.
  nonStrict(fn("_?_:_", "conditional", [BOOL, A, A], A,    fixed(0))),
  nonStrict(fn("_&&_",  "logical_and", [BOOL, BOOL], BOOL, fixed(0))),
  nonStrict(fn("_||_",  "logical_or",  [BOOL, BOOL], BOOL, fixed(0))),
  fn("!_", "logical_not", [BOOL], BOOL, fixed(1), (a) => !a),
  nonStrict(fn("@not_strictly_false", "not_strictly_false", [BOOL], BOOL, fixed(1), (a: unknown) => a !== false)),

  fn("_==_", "equals",     [A, A], BOOL, scanLesser(), equal),
  fn("_!=_", "not_equals", [A, A], BOOL, scanLesser(), (a, b) => equal(a, b) !== true),

  //  name   overload id                     arguments              result     cost           implementation
  fn("_+_", "add_bytes",                    [BYTES, BYTES],        BYTES,     scanSum(0, 1), concatBytes),
  fn("_+_", "add_double",                   [DOUBLE, DOUBLE],      DOUBLE,    fixed(1),      (a, b) => a + b),
  fn("_+_", "add_duration_duration",        [DURATION, DURATION],  DURATION,  fixed(1),      addDurations),
  fn("_+_", "add_duration_timestamp",       [DURATION, TIMESTAMP], TIMESTAMP, fixed(1),      (d, ts) => addTimestamp(ts, d)),
  fn("_+_", "add_timestamp_duration",       [TIMESTAMP, DURATION], TIMESTAMP, fixed(1),      addTimestamp),
  fn("_+_", "add_int64",                    [INT, INT],            INT,       fixed(1),      int.addInt),
  fn("_+_", "add_list",                     [LIST_A, LIST_A],      LIST_A,    concatenation, concatLists),
  fn("_+_", "add_string",                   [STRING, STRING],      STRING,    scanSum(0, 1), concatTexts),
  fn("_+_", "add_uint64",                   [UINT, UINT],          UINT,      fixed(1),      int.addUint),
  fn("_/_", "divide_double",                [DOUBLE, DOUBLE],      DOUBLE,    fixed(1),      (a, b) => a / b),
  fn("_/_", "divide_int64",                 [INT, INT],            INT,       fixed(1),      int.divInt),
  fn("_/_", "divide_uint64",                [UINT, UINT],          UINT,      fixed(1),      int.divUint),
  fn("_%_", "modulo_int64",                 [INT, INT],            INT,       fixed(1),      int.modInt),
  fn("_%_", "modulo_uint64",                [UINT, UINT],          UINT,      fixed(1),      int.modUint),
  fn("_*_", "multiply_double",              [DOUBLE, DOUBLE],      DOUBLE,    fixed(1),      (a, b) => a * b),
  fn("_*_", "multiply_int64",               [INT, INT],            INT,       fixed(1),      int.mulInt),
  fn("_*_", "multiply_uint64",              [UINT, UINT],          UINT,      fixed(1),      int.mulUint),
  fn("-_",  "negate_double",                [DOUBLE],              DOUBLE,    fixed(1),      (a) => -a),
  fn("-_",  "negate_int64",                 [INT],                 INT,       fixed(1),      int.negInt),
  fn("_-_", "subtract_double",              [DOUBLE, DOUBLE],      DOUBLE,    fixed(1),      (a, b) => a - b),
  fn("_-_", "subtract_duration_duration",   [DURATION, DURATION],  DURATION,  fixed(1),      subDurations),
  fn("_-_", "subtract_int64",               [INT, INT],            INT,       fixed(1),      int.subInt),
  fn("_-_", "subtract_timestamp_duration",  [TIMESTAMP, DURATION], TIMESTAMP, fixed(1),      subTimestamp),
  fn("_-_", "subtract_timestamp_timestamp", [TIMESTAMP, TIMESTAMP], DURATION, fixed(1),      timestampDifference),
  fn("_-_", "subtract_uint64",              [UINT, UINT],          UINT,      fixed(1),      int.subUint),

  fn("_[_]", "index_list", [LIST_A, INT],  A, fixed(1)),
  fn("_[_]", "index_map",  [MAP_AB, A],    B, fixed(1)),
  fn("@in",  "in_list",    [A, LIST_A], BOOL, elements(1), (elem, list) => listContains(list, elem)),
  fn("@in",  "in_map",     [A, MAP_AB], BOOL, fixed(1),    inMap),
];

/** These never name themselves when an operand does not fit. */
const PLAIN = new Set(["!_", "_==_", "_!=_", "@in"]);

export const operators: readonly Overload[] = rows.map((row) => ({ ...operator(row), plain: PLAIN.has(row.name) }));
