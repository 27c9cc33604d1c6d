// The types that parts of random expressions have, and how their literals are written.

import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  formatType,
  INT,
  isOptionalType,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from "../value/type.ts";

// biome-ignore format: by kind
export const TYPES: readonly Type[] = [
  BOOL, INT, UINT, DOUBLE, STRING, BYTES, TIMESTAMP, DURATION, NULL, DYN,
  listOf(INT), listOf(STRING), listOf(DOUBLE), listOf(UINT), listOf(DYN), listOf(BOOL), listOf(listOf(INT)),
  mapOf(STRING, INT), mapOf(STRING, DYN), mapOf(INT, STRING), mapOf(STRING, DOUBLE), mapOf(STRING, listOf(INT)), mapOf(STRING, STRING),
  optionalOf(INT), optionalOf(STRING), optionalOf(DYN), optionalOf(DOUBLE), optionalOf(listOf(INT)),
];

// biome-ignore format: one type per line
const LITERALS: Readonly<Record<string, readonly string[]>> = {
  bool: ["true", "false"],
  int: ["0", "1", "2", "(-1)", "7", "9007199254740991", "9007199254740993", "9223372036854775807", "(-9223372036854775808)"],
  uint: ["0u", "1u", "2u", "9007199254740993u", "18446744073709551615u"],
  double: ["0.0", "(-0.0)", "1.0", "1.5", "(-2.5)", "1e300", "9007199254740992.0", "5e-324"],
  string: ["''", "'a'", "'b'", "'ab'", "'name'", "'héllo wörld'", "'😀'", "'12'", "'-1'", "'1.5'", "'true'", "'1h'", "'2024-02-29T12:30:00Z'", "'[a-c]+'", "'%s'", "'a long text, longer than ten'"],
  bytes: ["b''", "b'a'", "b'\\xff\\x00'"],
  timestamp: ["timestamp('2024-02-29T12:30:00Z')", "timestamp('1970-01-01T00:00:00.5+01:30')", "timestamp(0)"],
  duration: ["duration('1h30m')", "duration('-5ns')", "duration('0s')"],
  null: ["null"],
  dyn: ["dyn(1)", "dyn('a')", "dyn(null)", "dyn([])", "dyn(2.0)", "dyn(3u)", "dyn({'a': 1})"],
};

export function literalsOf(type: Type): readonly string[] {
  const known = LITERALS[formatType(type)];
  if (known !== undefined) return known;
  if (type.kind === "list") return ["[]"];
  if (type.kind === "map") return ["{}"];
  return isOptionalType(type) ? ["optional.none()"] : ["dyn(null)"];
}

export const isRange = ({ kind }: Type): boolean => kind === "list" || kind === "map";
/** The type of a loop's variable over a range; of its two variables. */
export const oneVariable = (range: Type): readonly [Type] => [range.params[0]!];
export const twoVariables = (range: Type): readonly [Type, Type] =>
  range.kind === "list" ? [INT, range.params[0]!] : [range.params[0]!, range.params[1]!];
