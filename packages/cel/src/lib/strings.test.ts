import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { celError } from "../value/error.ts";
import { opaque } from "../value/type.ts";
import { ListValue, Optional } from "../value/value.ts";
import { call, rowOf } from "./library.testing.ts";
import { reverse } from "./string/string-functions.ts";
import { stringsLibrary } from "./strings.ts";

const library = stringsLibrary();

/** Every published version, by name. */
const FIRST = [
  "charAt",
  "indexOf",
  "join",
  "lastIndexOf",
  "lowerAscii",
  "replace",
  "split",
  "substring",
  "trim",
  "upperAscii",
];

// biome-ignore format: one version per line
test.each([
  { version: 0, names: FIRST },
  { version: 1, names: [...FIRST, "format", "strings.quote"] },
  { version: 2, names: [...FIRST, "format", "strings.quote"] },
  { version: 3, names: [...FIRST, "format", "reverse", "strings.quote"] },
  { version: 4, names: [...FIRST, "format", "reverse", "strings.quote"] },
])("version $version publishes its functions", ({ version, names }) => {
  const { overloads, older: _, validatorsSince: __, validators, ...rest } = stringsLibrary(version);
  expect([...new Set(overloads.map((row) => row.name))].sort()).toEqual(names.toSorted());
  expect(new Set(overloads.map((row) => row.id)).size).toBe(overloads.length);
  expect(validators?.map((validator) => validator.name)).toEqual(version === 0 ? [] : ["cel.validator.string_format"]);
  expect(rest).toEqual({ name: "cel.lib.ext.strings", version });
});

test("costs are upstream's", () => {
  expect(rowOf(library, "string_split_string").cost.fixed).toBe(1);
  expect(rowOf(library, "string_format").cost.actual(["0123456789a", []], "")).toBe(2);
  expect(rowOf(library, "strings_quote").cost.actual(["0123456789a"], "")).toBe(2);
});

const BIG = 9223372036854775807n;
const SMALL = -9223372036854775808n;
const outOfRange = (index: number | bigint) => ({ error: `index out of range: ${index}` });

// biome-ignore format: one case per line
const cases: [id: string, args: unknown[], want: unknown][] = [
  ["string_char_at_int", ["tacocat", 3], "o"],
  ["string_char_at_int", ["tacocat", 7], ""],
  ["string_char_at_int", ["abc", 4], outOfRange(4)],
  ["string_char_at_int", ["abc", -1], outOfRange(-1)],
  ["string_char_at_int", ["a", BIG], outOfRange(BIG)],
  ["string_char_at_int", ["naïve café 😀", 11], "😀"],
  ["string_char_at_int", ["naïve café 😀", 12], ""],
  ["string_char_at_int", ["naïve café 😀", 13], outOfRange(13)],

  ["string_index_of_string", ["hello", "lo"], 3],
  ["string_index_of_string", ["hello", ""], 0],
  ["string_index_of_string", ["hello", "z"], -1],
  ["string_index_of_string", ["a😀b😀", "b"], 2],
  ["string_index_of_string", ["", "a"], -1],
  ["string_index_of_string_int", ["a😀b😀", "😀", 2], 3],
  ["string_index_of_string_int", ["hello", "l", 5], -1],
  ["string_index_of_string_int", ["hello", "l", BIG], -1],
  ["string_index_of_string_int", ["hello", "l", -1], outOfRange(-1)],
  ["string_index_of_string_int", ["hello", "l", SMALL], outOfRange(SMALL)],
  ["string_index_of_string_int", ["hello", "", 99], 5],
  ["string_index_of_string_int", ["hello", "", -5], { error: "index out of range: -5" }],

  ["string_last_index_of_string", ["hello", "l"], 3],
  ["string_last_index_of_string", ["hello", ""], 5],
  ["string_last_index_of_string", ["a😀", ""], 2],
  ["string_last_index_of_string", ["", "a"], -1],
  ["string_last_index_of_string", ["a😀b😀", "😀"], 3],
  ["string_last_index_of_string", ["é", "ab"], -1],
  ["string_last_index_of_string_int", ["bananananana", "nana", 7], 6],
  ["string_last_index_of_string_int", ["hello", "l", 5], -1],
  ["string_last_index_of_string_int", ["hello", "l", BIG], -1],
  ["string_last_index_of_string_int", ["hello", "l", -1], outOfRange(-1)],
  ["string_last_index_of_string_int", ["hello", "", -1], { error: "index out of range: -1" }],
  ["string_last_index_of_string_int", ["hello", "lo", 4], 3],
  ["string_last_index_of_string_int", ["ab", "abc", 1], -1],
  ["string_last_index_of_string_int", ["", "a", 0], -1],

  ["string_lower_ascii", ["TacoCÆt Xii"], "tacocÆt xii"],
  ["string_lower_ascii", ["İI"], "İi"],
  ["string_lower_ascii", ["aZ[`{@"], "az[`{@"],
  ["string_upper_ascii", ["TacoCÆt Xii"], "TACOCÆT XII"],
  ["string_upper_ascii", ["ßı😀a"], "ßı😀A"],
  ["string_upper_ascii", ["aZ[`{@"], "AZ[`{@"],

  ["string_replace_string_string", ["{0} days {0} hours", "{0}", "2"], "2 days 2 hours"],
  ["string_replace_string_string", ["hello", "", "-"], "-h-e-l-l-o-"],
  ["string_replace_string_string", ["é😀", "", "-"], "-é-😀-"],
  ["string_replace_string_string", ["", "", "x"], "x"],
  ["string_replace_string_string", ["$1", "$1", "$$"], "$$"],
  ["string_replace_string_string", ["aaa", "aa", "b"], "ba"],
  ["string_replace_string_string_int", ["aaa", "a", "b", 2], "bba"],
  ["string_replace_string_string_int", ["aaa", "a", "b", 0], "aaa"],
  ["string_replace_string_string_int", ["aaa", "a", "b", SMALL], "bbb"],
  ["string_replace_string_string_int", ["aaa", "a", "b", BIG], "bbb"],
  ["string_replace_string_string_int", ["abc", "", "x", 2], "xaxbc"],
  ["string_replace_string_string_int", ["abc", "", "x", 3], "xaxbxc"],
  ["string_replace_string_string_int", ["abc", "", "x", 4], "xaxbxcx"],
  ["string_replace_string_string_int", ["abc", "", "x", BIG], "xaxbxcx"],

  ["string_split_string", ["a,,b", ","], ["a", "", "b"]],
  ["string_split_string", ["a,b", ""], ["a", ",", "b"]],
  ["string_split_string", ["a😀", ""], ["a", "😀"]],
  ["string_split_string", ["", ","], [""]],
  ["string_split_string", ["", ""], []],
  ["string_split_string_int", ["a,b,c", ",", 0], []],
  ["string_split_string_int", ["a,b,c", ",", 1], ["a,b,c"]],
  ["string_split_string_int", ["a,b,c", ",", 2], ["a", "b,c"]],
  ["string_split_string_int", ["a,b,c", ",", 99], ["a", "b", "c"]],
  ["string_split_string_int", ["a,b,c", ",", SMALL], ["a", "b", "c"]],
  ["string_split_string_int", ["a,b,c", ",", BIG], ["a", "b", "c"]],
  ["string_split_string_int", ["abc", "", 2], ["a", "bc"]],
  ["string_split_string_int", ["", "", 1], []],

  ["string_substring_int", ["tacocat", 4], "cat"],
  ["string_substring_int", ["tacocat", 7], ""],
  ["string_substring_int", ["hello", 6], outOfRange(6)],
  ["string_substring_int", ["hello", -1], outOfRange(-1)],
  ["string_substring_int", ["a😀é", 1], "😀é"],
  ["string_substring_int_int", ["ta©o😀αT", 2, 6], "©o😀α"],
  ["string_substring_int_int", ["hello", 3, 2], { error: "invalid substring range. start: 3, end: 2" }],
  ["string_substring_int_int", ["hello", 0, 6], outOfRange(6)],
  ["string_substring_int_int", ["hello", -1, 2], outOfRange(-1)],
  ["string_substring_int_int", ["hello", 6, 7], outOfRange(6)],
  ["string_substring_int_int", ["abc", SMALL, BIG], outOfRange(SMALL)],

  ["string_trim", [" \f\n\r\t\vtext  "], "text"],
  ["string_trim", ["\u0085\u00a0\u1680text\u2000\u200a\u2028\u2029\u202f\u205f\u3000"], "text"],
  ["string_trim", ["\u180etext\u200b\ufeff"], "\u180etext\u200b\ufeff"],
  ["string_trim", ["\x1ca\x1f"], "\x1ca\x1f"],
  ["string_trim", ["   "], ""],

  ["string_reverse", ["a😀é"], "é😀a"],
  ["strings_quote", ['\x07\b\f\n\r\t\v\\"'], '"\\a\\b\\f\\n\\r\\t\\v\\\\\\""'],
  ["strings_quote", ["é😀\u2028\x7f'"], '"é😀\u2028\x7f\'"'],
  ["strings_quote", ["a\ud83d"], '"a\ufffd"'],

  ["list_join", [["x", "y"]], "xy"],
  ["list_join", [[]], ""],
  ["list_join_string", [["x", "", "y"], "-"], "x--y"],
  ["list_join_string", [["a", 1], ","], { error: "join: invalid input: 1" }],
  ["list_join_string", [["a", null], ","], { error: "join: invalid input: 0" }],
  ["list_join_string", [["a", new Uint8Array([98])], ","], { error: "join: invalid input: [98]" }],
  ["list_join_string", [["a", celError("internal", "bad data")], ","], { error: "join: invalid input: bad data" }],
];
test.each(cases)("%s %o", (id, args, want) => expect(call(library, id, ...args)).toEqual(want));

test("join reads lists that are no arrays", () => {
  class Letters extends ListValue {
    override readonly size = 3;
    override get(index: number): unknown {
      return "abc"[index];
    }
  }
  expect(call(library, "list_join_string", new Letters(), "-")).toBe("a-b-c");
});

test("a text that would become too long is an error", () => {
  const long = "a".repeat(100_000);
  const error = "text is longer than 67108864 characters";
  expect(call(library, "string_replace_string_string", long, "", long)).toEqual({ error });
  expect(call(library, "list_join_string", new Array(5000).fill("a"), long)).toEqual({ error });
  expect(call(library, "string_format", "%s", [new Array(5000).fill(long)])).toEqual({
    error: `error during formatting: ${error}`,
  });
  expect(call(library, "string_format", "%.10000009f".repeat(30), new Array(30).fill(1.5))).toEqual({ error });
});

describe("join before version 2", () => {
  const version0 = stringsLibrary(0);
  // biome-ignore format: one case per line
  test.each([
    { element: 1,                      error: "unsupported type conversion from 'int' to string" },
    { element: new Uint8Array(1),      error: "type conversion error from Bytes to 'string'" },
    { element: true,                   error: "type conversion error from bool to 'string'" },
    { element: null,                   error: "type conversion error from 'null_type' to 'string'" },
    { element: [1],                    error: "type conversion error from list to 'string'" },
    { element: { a: 1 },               error: "type conversion error from map to 'string'" },
    { element: 1.5,                    error: "type conversion error from Double to 'string'" },
    { element: opaque("a.B"),          error: "type conversion not supported for 'type'" },
  ])("$error", ({ element, error }) => expect(call(version0, "list_join", ["a", element])).toEqual({ error }));

  test("unwraps optionals", () => {
    expect(call(version0, "list_join_string", ["a", Optional.of("b")], "-")).toBe("a-b");
  });
});

describe("properties", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀"), maxLength: 12 });
  const needle = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀"), maxLength: 2 });
  const points = (s: string): string[] => Array.from(s);

  const naiveIndexOf = (s: string, searched: string, from: number, step: 1 | -1): number => {
    const [text, sub] = [points(s), points(searched)];
    for (let i = from; i >= 0 && i < text.length; i += step) {
      if (i + sub.length <= text.length && sub.every((point, j) => text[i + j] === point)) return i;
    }
    return -1;
  };

  test("indexOf and lastIndexOf agree with a search over code points", () => {
    fc.assert(
      fc.property(letters, needle, fc.nat(14), (s, searched, from) => {
        fc.pre(searched !== "");
        const count = points(s).length;
        expect(call(library, "string_index_of_string_int", s, searched, from)).toBe(naiveIndexOf(s, searched, from, 1));
        expect(call(library, "string_last_index_of_string_int", s, searched, from)).toBe(
          from >= count ? -1 : naiveIndexOf(s, searched, from, -1),
        );
        expect(call(library, "string_last_index_of_string", s, searched)).toBe(
          naiveIndexOf(s, searched, count - 1, -1),
        );
      }),
    );
  });

  test("what split took apart, join puts together", () => {
    fc.assert(
      fc.property(letters, needle, fc.integer({ min: -1, max: 6 }), (s, separator, limit) => {
        fc.pre(limit !== 0);
        const parts = call(library, "string_split_string_int", s, separator, limit) as string[];
        expect(call(library, "list_join_string", parts, separator)).toBe(s);
        if (limit > 0) expect(parts.length).toBeLessThanOrEqual(limit);
      }),
    );
  });

  test("replace agrees with a rewriting of code points", () => {
    const naive = (s: string, searched: string, replacement: string, count: number): string => {
      const [text, sub] = [points(s), points(searched)];
      let out = "";
      let left = count < 0 ? Number.POSITIVE_INFINITY : count;
      for (let i = 0; i <= text.length; ) {
        const here = i + sub.length <= text.length && sub.every((point, j) => text[i + j] === point);
        if (here && left > 0) {
          left--;
          out += replacement;
          if (sub.length > 0) {
            i += sub.length;
            continue;
          }
        }
        out += text[i++] ?? "";
      }
      return out;
    };
    fc.assert(
      fc.property(letters, needle, letters, fc.integer({ min: -1, max: 6 }), (s, searched, replacement, count) => {
        expect(call(library, "string_replace_string_string_int", s, searched, replacement, count)).toBe(
          naive(s, searched, replacement, count),
        );
      }),
    );
  });

  test("substring and charAt are slices of code points", () => {
    fc.assert(
      fc.property(letters, fc.nat(12), fc.nat(12), (s, a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const text = points(s);
        fc.pre(end <= text.length);
        expect(call(library, "string_substring_int_int", s, start, end)).toBe(text.slice(start, end).join(""));
        expect(call(library, "string_char_at_int", s, start)).toBe(text[start] ?? "");
      }),
    );
  });
});

test("a long text is reversed in pieces that keep pairs together", () => {
  for (const text of [
    "a😀".repeat(5000),
    "😀".repeat(5000),
    `a${"😀".repeat(5000)}`,
    "\ud83d".repeat(9000),
    "é".repeat(9000),
  ]) {
    expect(reverse(text) === Array.from(text).reverse().join("")).toBe(true);
  }
});
