// kubernetes.lists: order, sums and positions in lists. Upstream: apiserver pkg/cel/library/lists.go.
// Lists of dynamic elements choose the overload by their first element, and what then does not fit is skipped or an error.

import {
  BOOL,
  BYTES,
  type CelError,
  celError,
  DOUBLE,
  Double,
  DURATION,
  Duration,
  DYN,
  INT,
  isError,
  type Library,
  listOf,
  method,
  type Overload,
  param,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
  Uint,
  type Value,
} from "@celadon/cel";
import { boxedResult } from "@celadon/cel/lib";
import {
  addValues,
  compare,
  equal,
  isList,
  type List,
  listGet,
  listSize,
  noSuchOverload,
  typeOf,
  work,
} from "@celadon/cel/values";
import { walk, walkAny } from "./costs.ts";

const COMPARABLE: Readonly<Record<string, Type>> = {
  int: INT,
  uint: UINT,
  double: DOUBLE,
  bool: BOOL,
  duration: DURATION,
  timestamp: TIMESTAMP,
  string: STRING,
  bytes: BYTES,
};
const ZEROS: Readonly<Record<string, Value>> = {
  int: 0,
  uint: new Uint(0),
  double: new Double(0),
  duration: new Duration(0, 0),
};

const A = param("A");
const LIST_A = listOf(A);

/** A row for each element type. */
function perType(names: readonly string[], row: (name: string, type: Type, list: Type<List>) => Overload): Overload[] {
  return names.map((name) => row(name, COMPARABLE[name] as Type, listOf(COMPARABLE[name] as Type) as Type<List>));
}
const comparable = Object.keys(COMPARABLE);
const summable = Object.keys(ZEROS);

// biome-ignore format: one overload per line
const core: readonly Overload[] = [
  // name, overload id, arguments, result, cost, implementation
  ...perType(comparable, (name, _, list) =>                method("isSorted", `list_${name}_is_sorted_bool`, [list], BOOL, walk, isSorted)),
  ...perType(summable,   (name, type, list) => boxedResult(method("sum",      `list_${name}_sum_${name}`,    [list], type, walk, (list) => sum(ZEROS[name], list)))),
  ...perType(comparable, (name, type, list) => boxedResult(method("max",      `list_${name}_max_${name}`,    [list], type, walk, (list) => extreme("max", -1, list)))),
  ...perType(comparable, (name, type, list) => boxedResult(method("min",      `list_${name}_min_${name}`,    [list], type, walk, (list) => extreme("min", 1, list)))),
  method("indexOf",     "list_a_index_of_int",      [LIST_A, A], INT, walk, indexOf),
  method("lastIndexOf", "list_a_last_index_of_int", [LIST_A, A], INT, walk, lastIndexOf),
];

/** `isSorted`, `sum`, `min`, `max`, `indexOf` of lists. Version 1 adds `includes`. */
export function listsLibrary(version = 1): Library {
  const overloads = version === 0 ? core : [...core, includesRow];
  return { name: "kubernetes.lists", version, costBy: "function", overloads };
}

const includesRow: Overload = method("includes", "list_includes_dyn_dyn", [DYN, DYN], BOOL, walkAny, includes);

/** Whether a list has an element, or anything else equals it. */
function includes(target: Value, item: Value): boolean {
  return isList(target) ? indexOf(target, item) >= 0 : equal(target, item) === true;
}

const ORDERED: ReadonlySet<string> = new Set([
  "bool",
  "int",
  "uint",
  "double",
  "string",
  "bytes",
  "timestamp",
  "duration",
]);
const isOrdered = (value: Value): boolean => ORDERED.has(typeOf(value).kind);
const unordered = (value: Value): CelError => (isError(value) ? value : noSuchOverload());

/** Comparing two short texts takes as long as so many steps of work. Their price may be nothing at all. */
const STEPS_PER_ELEMENT = 8;

/** Elements that cannot be compared with each other count as in order. */
function isSorted(list: List): boolean | CelError {
  let previous: Value;
  for (let i = 0, size = listSize(list); i < size; i++) {
    work(STEPS_PER_ELEMENT);
    const next = listGet(list, i);
    if (!isOrdered(next)) return unordered(next);
    if (i > 0 && compare(previous, next) === 1) return false;
    previous = next;
  }
  return true;
}

function sum(zero: Value, list: List): Value | CelError {
  let total = zero;
  for (let i = 0, size = listSize(list); i < size; i++) {
    work(STEPS_PER_ELEMENT);
    total = addValues(total, listGet(list, i));
    if (isError(total)) return total;
  }
  return total;
}

/** The smallest or greatest element; incomparable elements are skipped. */
function extreme(name: string, replaceOn: -1 | 1, list: List): Value | CelError {
  const size = listSize(list);
  if (size === 0) return celError("invalid_argument", `${name} called on empty list`);
  let found: Value;
  for (let i = 0; i < size; i++) {
    work(STEPS_PER_ELEMENT);
    const next = listGet(list, i);
    if (!isOrdered(next)) return unordered(next);
    if (i === 0 || compare(found, next) === replaceOn) found = next;
  }
  return found;
}

function indexOf(list: List, item: Value): number {
  for (let i = 0, size = listSize(list); i < size; i++) {
    work(STEPS_PER_ELEMENT);
    if (equal(listGet(list, i), item) === true) return i;
  }
  return -1;
}

function lastIndexOf(list: List, item: Value): number {
  for (let i = listSize(list) - 1; i >= 0; i--) {
    work(STEPS_PER_ELEMENT);
    if (equal(listGet(list, i), item) === true) return i;
  }
  return -1;
}
