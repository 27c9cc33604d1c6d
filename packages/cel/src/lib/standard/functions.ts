// `size` and the string tests of the standard library. Like operators they answer "no such overload" in few words when a
// dynamic operand does not fit: the reference dispatches them without looking at overloads. A constant pattern is compiled
// once, and one that does not compile fails the program before it runs.

import { affix, affixByReceiver, containment, fixed, regexSearch } from "../../cost/formulas.ts";
import { compileRegex } from "../../regex/index.ts";
import type { PlainObject } from "../../value/box.ts";
import { mapSize } from "../../value/collection/any-map.ts";
import { listSize } from "../../value/collection/list.ts";
import { type CelError, isError } from "../../value/error.ts";
import { codePointCount } from "../../value/size/measure.ts";
import { includesText } from "../../value/text/text-search.ts";
import { BOOL, BYTES, INT, listOf, mapOf, param, STRING } from "../../value/type.ts";
import type { MapValue } from "../../value/value.ts";
import { before, fn, method, type Overload, operator, specialized } from "../library.ts";

const LIST_A = listOf(param("A"));
const MAP_AB = mapOf(param("A"), param("B"));

const bytesSize = (bytes: Uint8Array): number => bytes.length;
const sizeOfMap = (map: unknown): number => mapSize(map as PlainObject | MapValue);

/** RE2, anywhere in the text. */
function matches(text: string, pattern: string): boolean | CelError {
  const regex = compileRegex(pattern);
  return isError(regex) ? regex : regex.test(text);
}

// biome-ignore format: one overload per line
const rows: readonly Overload[] = [
  //     name          overload id           arguments         result  cost           implementation
  fn(    "size",       "size_bytes",         [BYTES],          INT,    fixed(1),      bytesSize),
  method("size",       "bytes_size",         [BYTES],          INT,    fixed(1),      bytesSize),
  fn(    "size",       "size_list",          [LIST_A],         INT,    fixed(1),      listSize),
  method("size",       "list_size",          [LIST_A],         INT,    fixed(1),      listSize),
  fn(    "size",       "size_map",           [MAP_AB],         INT,    fixed(1),      sizeOfMap),
  method("size",       "map_size",           [MAP_AB],         INT,    fixed(1),      sizeOfMap),
  fn(    "size",       "size_string",        [STRING],         INT,    fixed(1),      codePointCount),
  method("size",       "string_size",        [STRING],         INT,    fixed(1),      codePointCount),
  method("contains",   "contains_string",    [STRING, STRING], BOOL,   containment(), includesText),
  method("endsWith",   "ends_with_string",   [STRING, STRING], BOOL,   affix,         (s, end) => s.endsWith(end)),
  method("startsWith", "starts_with_string", [STRING, STRING], BOOL,   affix,         (s, start) => s.startsWith(start)),
  fn(    "matches",    "matches",            [STRING, STRING], BOOL,   regexSearch(), matches),
  method("matches",    "matches_string",     [STRING, STRING], BOOL,   regexSearch(), matches),
];

// biome-ignore format: one overload per line
const olderRows: readonly Overload[] = [
  before(29, method("endsWith",   "ends_with_string",   [STRING, STRING], BOOL, affixByReceiver, (s, end) => s.endsWith(end))),
  before(29, method("startsWith", "starts_with_string", [STRING, STRING], BOOL, affixByReceiver, (s, start) => s.startsWith(start))),
  before(29, fn(    "matches",    "matches",            [STRING, STRING], BOOL, fixed(1),        matches)),
];

export const functions: readonly Overload[] = rows.map(dispatched);
/** As they were in older releases of cel-go. */
export const olderFunctions: readonly Overload[] = olderRows.map(dispatched);

function dispatched(row: Overload): Overload {
  if (row.name === "matches") return specialized(operator(row), constantPattern);
  return operator(row);
}

function constantPattern([, pattern]: readonly unknown[]): ((text: string) => boolean) | CelError | undefined {
  if (typeof pattern !== "string") return undefined;
  const regex = compileRegex(pattern);
  return isError(regex) ? regex : regex.test;
}
