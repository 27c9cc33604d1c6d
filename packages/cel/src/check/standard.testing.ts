// The standard functions' signatures for the checker's tests, without implementations: `name id signature`, a method's
// receiver in front of the parenthesis. Also a reader of types in that notation.

import type { Overload } from "../lib/library.ts";
import { composeProviders } from "../types/compose-provider.ts";
import { createNamedProvider, OPTIONAL_TYPE, standardTypeNames } from "../types/named-provider.ts";
import type { TypeProvider } from "../types/provider.ts";
import {
  ANY, BOOL, BYTES, DOUBLE, DURATION, DYN, INT, listOf, mapOf, NULL, opaque, optionalOf, param, STRING, struct, TIMESTAMP, TYPE, type Type, typeOfType, UINT, wrapper,
} from "../types/type.ts";
import type { Declarations } from "./checked.ts";

const SIMPLE: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["any", ANY], ["bool", BOOL], ["bytes", BYTES], ["double", DOUBLE], ["duration", DURATION], ["dyn", DYN], ["int", INT], ["null", NULL],
  ["string", STRING], ["timestamp", TIMESTAMP], ["type", TYPE], ["uint", UINT],
]);

/** Reads `map(string, list(A))`; capitals are type parameters, names with a dot messages, other names opaque types. */
export function readType(text: string): Type {
  const [type, rest] = readPart(text.trim());
  if (rest.trim() !== "") {
    throw new Error(`not a type: ${text}`);
  }
  return type;
}

function readPart(text: string): [Type, string] {
  const name = /^[\w.]+/.exec(text)?.[0] ?? "";
  let rest = text.slice(name.length);
  const params: Type[] = [];
  if (rest.startsWith("(")) {
    do {
      const [part, after] = readPart(rest.slice(1).trimStart());
      params.push(part);
      rest = after.trimStart();
    } while (rest.startsWith(","));
    rest = rest.slice(1);
  }
  return [typeNamed(name, params), rest];
}

function typeNamed(name: string, params: Type[]): Type {
  const [first, second] = params;
  if (first === undefined) {
    return SIMPLE.get(name) ?? (/^[A-Z]$/.test(name) ? param(name) : name.includes(".") ? struct(name) : opaque(name));
  }
  switch (name) {
    case "list":
      return listOf(first);
    case "map":
      return mapOf(first, second ?? DYN);
    case "type":
      return typeOfType(first);
    case "wrapper":
      return wrapper(first);
    case "optional_type":
      return optionalOf(first);
    default:
      return opaque(name, ...params);
  }
}

/** Reads `name id receiver.(args) -> result`. */
export function readOverload(line: string): Overload {
  const match = /^(\S+)\s+(\S+)\s+(?:(.+?)\.)?\((.*)\)\s*->\s*(.+)$/.exec(line.trim());
  if (match === null) {
    throw new Error(`not an overload: ${line}`);
  }
  const [, name = "", id = "", receiver, list = "", result = ""] = match;
  const args = receiver === undefined ? [] : [readType(receiver)];
  for (let rest = list.trim(); rest !== ""; ) {
    const [type, after] = readPart(rest);
    args.push(type);
    rest = after.replace(/^\s*,\s*/, "");
  }
  // Costs do not matter to the checker.
  const cost = undefined as unknown as Overload["cost"];
  return { name, id, member: receiver !== undefined, args, result: readType(result), cost, call: undefined, nonStrict: false, operator: false };
}

const COMPARED = "bool int uint double string bytes timestamp duration".split(" ");
const NUMERIC = "int uint double".split(" ");
const ID: Readonly<Record<string, string>> = { int: "int64", uint: "uint64" };

function comparisons(): string[] {
  const lines: string[] = [];
  for (const [name, id] of [["_<_", "less"], ["_<=_", "less_equals"], ["_>_", "greater"], ["_>=_", "greater_equals"]] as const) {
    for (const type of COMPARED) {
      lines.push(`${name} ${id}_${ID[type] ?? type} (${type}, ${type}) -> bool`);
      for (const other of NUMERIC.includes(type) ? NUMERIC : []) {
        if (other !== type) {
          lines.push(`${name} ${id}_${ID[type] ?? type}_${ID[other] ?? other} (${type}, ${other}) -> bool`);
        }
      }
    }
  }
  return lines;
}

function conversions(): string[] {
  const lines: string[] = [];
  for (const [to, from] of [
    ["bool", "bool string"], ["bytes", "bytes string"], ["double", "double int string uint"], ["duration", "duration int string"],
    ["int", "int double duration string timestamp uint"], ["string", "string bool bytes double duration int timestamp uint"],
    ["timestamp", "timestamp int string"], ["uint", "uint double int string"],
  ] as const) {
    for (const type of from.split(" ")) {
      lines.push(`${to} ${type === to ? `${ID[to] ?? to}_to_${ID[to] ?? to}` : `${ID[type] ?? type}_to_${ID[to] ?? to}`} (${type}) -> ${to}`);
    }
  }
  return lines;
}

function accessors(): string[] {
  const lines: string[] = [];
  for (const [name, id] of [
    ["getFullYear", "year"], ["getMonth", "month"], ["getDayOfYear", "day_of_year"], ["getDate", "day_of_month_1_based"], ["getDayOfMonth", "day_of_month"], ["getDayOfWeek", "day_of_week"],
    ["getHours", "hours"], ["getMinutes", "minutes"], ["getSeconds", "seconds"], ["getMilliseconds", "milliseconds"],
  ] as const) {
    lines.push(`${name} timestamp_to_${id} timestamp.() -> int`, `${name} timestamp_to_${id}${id === "seconds" ? "_tz" : "_with_tz"} timestamp.(string) -> int`);
    if (/Hours|Minutes|Seconds|Milli/.test(name)) {
      lines.push(`${name} duration_to_${id} duration.() -> int`);
    }
  }
  return lines;
}

export const STANDARD: readonly string[] = [
  "_?_:_ conditional (bool, A, A) -> A",
  "_&&_ logical_and (bool, bool) -> bool",
  "_||_ logical_or (bool, bool) -> bool",
  "!_ logical_not (bool) -> bool",
  "@not_strictly_false not_strictly_false (bool) -> bool",
  "_==_ equals (A, A) -> bool",
  "_!=_ not_equals (A, A) -> bool",
  "@in in_list (A, list(A)) -> bool",
  "@in in_map (A, map(A, B)) -> bool",
  ..."bytes double duration:duration,duration timestamp:duration,timestamp timestamp:timestamp,duration int list string uint".split(" ").map((entry) => {
    const [type = "", args] = entry.split(":");
    if (args !== undefined) {
      return `_+_ add_${args.split(",").join("_")} (${args}) -> ${type}`;
    }
    return type === "list" ? "_+_ add_list (list(A), list(A)) -> list(A)" : `_+_ add_${ID[type] ?? type} (${type}, ${type}) -> ${type}`;
  }),
  "_-_ subtract_double (double, double) -> double",
  "_-_ subtract_duration_duration (duration, duration) -> duration",
  "_-_ subtract_int64 (int, int) -> int",
  "_-_ subtract_timestamp_duration (timestamp, duration) -> timestamp",
  "_-_ subtract_timestamp_timestamp (timestamp, timestamp) -> duration",
  "_-_ subtract_uint64 (uint, uint) -> uint",
  ..."double int uint".split(" ").flatMap((type) => [
    `_*_ multiply_${ID[type] ?? type} (${type}, ${type}) -> ${type}`,
    `_/_ divide_${ID[type] ?? type} (${type}, ${type}) -> ${type}`,
  ]),
  "_%_ modulo_int64 (int, int) -> int",
  "_%_ modulo_uint64 (uint, uint) -> uint",
  "-_ negate_double (double) -> double",
  "-_ negate_int64 (int) -> int",
  "_[_] index_list (list(A), int) -> A",
  "_[_] index_map (map(A, B), A) -> B",
  "size bytes_size bytes.() -> int",
  "size size_bytes (bytes) -> int",
  "size list_size list(A).() -> int",
  "size size_list (list(A)) -> int",
  "size map_size map(A, B).() -> int",
  "size size_map (map(A, B)) -> int",
  "size string_size string.() -> int",
  "size size_string (string) -> int",
  "contains contains_string string.(string) -> bool",
  "endsWith ends_with_string string.(string) -> bool",
  "startsWith starts_with_string string.(string) -> bool",
  "matches matches (string, string) -> bool",
  "matches matches_string string.(string) -> bool",
  "type type (A) -> type(A)",
  "dyn to_dyn (A) -> dyn",
  ...comparisons(),
  ...conversions(),
  ...accessors(),
];

export const OPTIONAL: readonly string[] = [
  "optional.of optional_of (V) -> optional_type(V)",
  "optional.ofNonZeroValue optional_ofNonZeroValue (V) -> optional_type(V)",
  "optional.none optional_none () -> optional_type(V)",
  "value optional_value optional_type(V).() -> V",
  "hasValue optional_hasValue optional_type(V).() -> bool",
  "or optional_or_optional optional_type(V).(optional_type(V)) -> optional_type(V)",
  "orValue optional_orValue_value optional_type(V).(V) -> V",
  "_?._ select_optional_field (dyn, string) -> optional_type(V)",
  "_[?_] list_optindex_optional_int (list(V), int) -> optional_type(V)",
  "_[?_] optional_list_optindex_optional_int (optional_type(list(V)), int) -> optional_type(V)",
  "_[?_] map_optindex_optional_value (map(K, V), K) -> optional_type(V)",
  "_[?_] optional_map_optindex_optional_value (optional_type(map(K, V)), K) -> optional_type(V)",
  "_[_] optional_list_index_int (optional_type(list(V)), int) -> optional_type(V)",
  "_[_] optional_map_index_value (optional_type(map(K, V)), K) -> optional_type(V)",
  "first list_first list(V).() -> optional_type(V)",
  "last list_last list(V).() -> optional_type(V)",
];

export interface TestEnvironment {
  readonly container?: string;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string | Type>>;
  readonly functions?: readonly string[];
  readonly provider?: TypeProvider;
}

/** The standard functions and optionals, with what a test adds. */
export function testDeclarations(env: TestEnvironment = {}): Declarations {
  const functions = new Map<string, Overload[]>();
  for (const line of [...STANDARD, ...OPTIONAL, ...(env.functions ?? [])]) {
    const overload = readOverload(line);
    functions.set(overload.name, [...(functions.get(overload.name) ?? []), overload]);
  }
  return {
    container: env.container ?? "",
    aliases: new Map(Object.entries(env.aliases ?? {})),
    variables: new Map(Object.entries(env.variables ?? {}).map(([name, type]) => [name, typeof type === "string" ? readType(type) : type])),
    functions,
    provider: composeProviders(...(env.provider === undefined ? [] : [env.provider]), standardTypeNames, createNamedProvider([OPTIONAL_TYPE])),
  };
}
