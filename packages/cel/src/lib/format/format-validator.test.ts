// Issues recorded from Kubernetes v1.36 (strings library version 2) and cel-go v0.26 (version 4).

import { expect, test } from "vitest";
import { check } from "../../check/check.ts";
import type { Checked } from "../../check/checked.ts";
import { Env } from "../../env.ts";
import type { Library } from "../library.ts";
import { networkLibrary } from "../network.ts";
import { optionalLibrary } from "../optional.ts";
import { stringsLibrary } from "../strings.ts";

/** Checked without validators, so that each test runs its own. */
function checkedBy(source: string, libraries: readonly Library[]): Checked {
  const env = new Env({ libraries });
  const { ast } = env.parse(source);
  if (ast === undefined) throw new Error(`does not parse: ${source}`);
  const checked = check(ast, env.declarations);
  expect(checked.issues).toEqual([]);
  return checked;
}

/** The findings of a library's validators, as `offset: message`. */
function issuesOf(source: string, library: Library, others: readonly Library[] = []): string[] {
  const checked = checkedBy(source, [library, ...others]);
  const found: string[] = [];
  for (const validator of library.validators ?? []) {
    validator.validate(checked, ({ span, message }) => found.push(`${span?.at ?? -1}: ${message}`));
  }
  return found;
}

const STRING_CLAUSE =
  "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps";
const OTHERS = [optionalLibrary(), networkLibrary];
const PRECISION = "could not parse formatting clause: error while parsing precision";

// biome-ignore format: one case per line
const legacy: [source: string, ...want: string[]][] = [
  ["'%s %d'.format(['a', 1])"],
  ["'%d'.format([dyn('x')])"],
  ["dyn('%d').format(['x'])"],
  ["'%z'.format(dyn([1]))"],
  ["'%f %e'.format(['x', 1.5])"],
  ["'%s'.format([{'a': [1, null, b'x', type(1), duration('1s')]}])"],
  ["'%'.format([])",                       "10: unexpected end of string"],
  ["'%%%'.format(['a'])",                  "12: unexpected end of string"],
  ["'%.'.format([1])",                     `11: ${PRECISION}: could not find end of precision specifier`],
  ["'%z'.format([])",                      "11: index 0 out of range"],
  ["'%.5'.format([])",                     "12: index 0 out of range"],
  ["'%s %s'.format(['a'])",                "14: index 1 out of range"],
  ["'%s'.format(['a', 'b', 'c'])",         "11: too many arguments supplied to string.format (expected 1, got 3)"],
  ["'%d %z'.format([1, 2, 3])",            '14: could not parse formatting clause: unrecognized formatting clause "z"'],
  ["'%d%d'.format([1, 'a'])",              "18: error during formatting: decimal clause can only be used on integers, was given string"],
  ["'%d'.format([[1]])",                   "13: error during formatting: decimal clause can only be used on integers, was given list"],
  ["'%b'.format([type(1)])",               "17: error during formatting: only integers and bools can be formatted as binary, was given type"],
  ["'%s'.format([ip('::1')])",             `15: error during formatting: ${STRING_CLAUSE}, was given net.IP`],
  ["'%s'.format([[[1, optional.of(1)]]])", `29: error during formatting: ${STRING_CLAUSE}, was given optional_type`],
  ["'%s'.format([{'a': optional.of(1)}])", `30: error during formatting: ${STRING_CLAUSE}, was given optional_type`],
  ["true ? '%d'.format(['x']) : '%o'.format(['y'])",
    "20: error during formatting: decimal clause can only be used on integers, was given string",
    "41: error during formatting: octal clause can only be used on integers, was given string"],
  ["[1].exists(x, '%x'.format([true]) == 'a')",
    "27: error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given bool"],
];
test.each(legacy)("%s", (source, ...want) => expect(issuesOf(source, stringsLibrary(2), OTHERS)).toEqual(want));

// biome-ignore format: one case per line
const standard: [source: string, ...want: string[]][] = [
  ["'%d %f %e'.format([1.5, 1, 1u])"],
  ["'%f'.format(['NaN'])",  "13: error during formatting: fixed-point clause can only be used on ints, uints, and doubles, was given string"],
  ["'%e'.format([null])",   "13: error during formatting: scientific clause can only be used on ints, uints, and doubles, was given null_type"],
  ["'%b'.format([1.5])",    "13: error during formatting: only ints, uints, and bools can be formatted as binary, was given double"],
];
test.each(standard)("version 4: %s", (source, ...want) => expect(issuesOf(source, stringsLibrary(4))).toEqual(want));

test("network literals", () => {
  const source = "ip('1.2.3') == ip('::1') || isCIDR('x') || cidr('::ffff:1.2.3.4/120').containsIP('no')";
  expect(issuesOf(source, networkLibrary)).toEqual([
    '3: invalid ip argument: IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short',
    '48: invalid cidr argument: IPv4-mapped IPv6 address "::ffff:1.2.3.4/120" is not allowed',
  ]);
});
