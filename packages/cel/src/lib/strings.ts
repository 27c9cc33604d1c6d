// ext.Strings: text by code points. Upstream: cel-go ext/strings.go, whose versions this follows function by function:
//   0  the first set; join demands strings with words of its own
//   1  format, strings.quote
//   2  join reads any list and names the value that is no string
//   3  reverse
//   4  format as the specification has it: no locale, numbers of every type
// Costs are upstream's: 1, but for text that is quoted or formatted. Hosts with other prices use `withCosts`.

import { fixed, quoting, scan } from "../cost/formulas.ts";
import { DYN, INT, listOf, STRING } from "../value/type.ts";
import { FORMAT } from "./format/format.ts";
import { LEGACY_FORMAT, SPACED_FORMAT } from "./format/format-legacy.ts";
import { constantFormat, type Dialect, formatString } from "./format/format-string.ts";
import { formatValidator } from "./format/format-validator.ts";
import { before, fn, type Library, method, type Overload, since, specialized, variadic } from "./library.ts";
import { join, joinNative } from "./string/join.ts";
import {
  charAt,
  indexOf,
  indexOfBefore22,
  indexOfBefore29,
  lastIndexOf,
  lastIndexOfBefore26,
  lastIndexOfFrom,
  lastIndexOfFromBefore22,
  lastIndexOfFromBefore29,
  lowerAscii,
  quote,
  replace,
  reverse,
  splitNative,
  substring,
  substringFrom,
  trim,
  upperAscii,
} from "./string/string-functions.ts";

export const STRINGS_VERSION = 4;

const STRINGS = listOf(STRING);
const ARGUMENTS = listOf(DYN);

/** A row and the versions it is in. */
interface Published {
  readonly since: number;
  readonly until?: number;
  readonly row: Overload;
  readonly specialize?: Overload["specialize"];
}

// biome-ignore format: one overload per line
const TABLE: readonly Published[] = [
  //                             name             overload id                         arguments                         result   cost      implementation
  { since: 0,           row: method("charAt",        "string_char_at_int",               [STRING, INT],                    STRING,  fixed(1), charAt) },
  { since: 0,           row: method("indexOf",       "string_index_of_string",           [STRING, STRING],                 INT,     fixed(1), indexOf) },
  { since: 0,           row: method("indexOf",       "string_index_of_string_int",       [STRING, STRING, INT],            INT,     fixed(1), indexOf) },
  { since: 0,           row: method("lastIndexOf",   "string_last_index_of_string",      [STRING, STRING],                 INT,     fixed(1), lastIndexOf) },
  { since: 0,           row: method("lastIndexOf",   "string_last_index_of_string_int",  [STRING, STRING, INT],            INT,     fixed(1), lastIndexOfFrom) },
  { since: 0,           row: method("lowerAscii",    "string_lower_ascii",               [STRING],                         STRING,  fixed(1), lowerAscii) },
  { since: 0,           row: method("replace",       "string_replace_string_string",     [STRING, STRING, STRING],         STRING,  fixed(1), replace) },
  { since: 0,           row: method("replace",       "string_replace_string_string_int", [STRING, STRING, STRING, INT],    STRING,  fixed(1), replace) },
  { since: 0,           row: method("split",         "string_split_string",              [STRING, STRING],                 STRINGS, fixed(1), splitNative) },
  { since: 0,           row: method("split",         "string_split_string_int",          [STRING, STRING, INT],            STRINGS, fixed(1), splitNative) },
  { since: 0,           row: method("substring",     "string_substring_int",             [STRING, INT],                    STRING,  fixed(1), substringFrom) },
  { since: 0,           row: method("substring",     "string_substring_int_int",         [STRING, INT, INT],               STRING,  fixed(1), substring) },
  { since: 0,           row: method("trim",          "string_trim",                      [STRING],                         STRING,  fixed(1), trim) },
  { since: 0,           row: method("upperAscii",    "string_upper_ascii",               [STRING],                         STRING,  fixed(1), upperAscii) },
  { since: 0, until: 1, row: method("join",          "list_join",                        [STRINGS],                        STRING,  fixed(1), joinNative) },
  { since: 0, until: 1, row: method("join",          "list_join_string",                 [STRINGS, STRING],                STRING,  fixed(1), joinNative) },
  { since: 1,           row: fn(    "strings.quote", "strings_quote",                    [STRING],                         STRING,  quoting,  quote) },
  { since: 1, until: 3, row: formatRow(LEGACY_FORMAT), specialize: constantFormat(LEGACY_FORMAT) },
  { since: 2,           row: method("join",          "list_join",                        [STRINGS],                        STRING,  fixed(1), join) },
  { since: 2,           row: method("join",          "list_join_string",                 [STRINGS, STRING],                STRING,  fixed(1), join) },
  { since: 3,           row: method("reverse",       "string_reverse",                   [STRING],                         STRING,  fixed(1), reverse) },
  { since: 4,           row: formatRow(FORMAT), specialize: constantFormat(FORMAT) },
];

/** As they were in older releases of cel-go. */
// biome-ignore format: one overload per line
const OLDER: readonly Overload[] = [
  since(22, before(29, method("indexOf",     "string_index_of_string_int",      [STRING, STRING, INT], INT, fixed(1), indexOfBefore29))),
  since(22, before(29, method("lastIndexOf", "string_last_index_of_string_int", [STRING, STRING, INT], INT, fixed(1), lastIndexOfFromBefore29))),
  before(26,           method("lastIndexOf", "string_last_index_of_string",     [STRING, STRING],      INT, fixed(1), lastIndexOfBefore26)),
  before(22,           method("indexOf",     "string_index_of_string",          [STRING, STRING],      INT, fixed(1), (s, searched) => indexOfBefore22(s, searched))),
  before(22,           method("indexOf",     "string_index_of_string_int",      [STRING, STRING, INT], INT, fixed(1), indexOfBefore22)),
  before(22,           method("lastIndexOf", "string_last_index_of_string_int", [STRING, STRING, INT], INT, fixed(1), lastIndexOfFromBefore22)),
];

/** Formats with older locale data. */
const SPACED_FORMAT_ROW: Overload = before(23, specialized(formatRow(SPACED_FORMAT), constantFormat(SPACED_FORMAT)));

function formatRow(dialect: Dialect): Overload {
  return variadic(
    method("format", "string_format", [STRING, ARGUMENTS], STRING, scan(0), (s, args) =>
      formatString(dialect, s, args),
    ),
  );
}

/** The library as published in a version; the newest when none is named. */
export function stringsLibrary(version: number = STRINGS_VERSION): Library {
  const current = TABLE.filter(
    ({ since: from, until }) => from <= version && (until === undefined || version <= until),
  );
  const validator = formatValidator(version);
  const older = version >= 1 && version <= 3 ? [...OLDER, SPACED_FORMAT_ROW] : OLDER;
  return {
    name: "cel.lib.ext.strings",
    version,
    older,
    overloads: current.map(({ row, specialize }) => (specialize === undefined ? row : specialized(row, specialize))),
    validators: validator === undefined ? [] : [validator],
    validatorsSince: 20,
  };
}
