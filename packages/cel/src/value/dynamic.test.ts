import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CelMap } from "./collection/map.ts";
import { dynamicOperators } from "./dynamic.ts";
import { type Answer, answerOf, recorded } from "./tagged.testing.ts";
import { parseDuration, parseTimestamp } from "./time/time.ts";
import { INT } from "./type.ts";
import { Double, Uint, type Value } from "./value.ts";

interface Recorded {
  readonly operands: readonly string[];
  readonly results: readonly Answer[];
  /** For each operator the results' numbers, left operand by left operand. */
  readonly answers: Readonly<Record<string, readonly number[]>>;
}
const file: Recorded = JSON.parse(readFileSync(new URL("./testdata/operators.json", import.meta.url), "utf8"));

// biome-ignore format: one operand per line
const operands: Readonly<Record<string, Value>> = {
  "1": 1, "0": 0, "-7": -7,
  "9007199254740992": 9007199254740992n, "9007199254740993": 9007199254740993n,
  "9223372036854775807": 9223372036854775807n, "(-9223372036854775808)": -9223372036854775808n,
  "1u": new Uint(1), "18446744073709551615u": new Uint(18446744073709551615n), "9007199254740993u": new Uint(9007199254740993n),
  "1.0": new Double(1), "-0.0": new Double(-0), "1.5": 1.5,
  "9007199254740992.0": 2 ** 53, "9223372036854775808.0": 2 ** 63,
  "(0.0/0.0)": Number.NaN, "(1.0/0.0)": Number.POSITIVE_INFINITY,
  "'a'": "a", "'1'": "1", "'\uffee'": "\uffee", "'😀'": "😀",
  "b'a'": new Uint8Array([97]), "b'\\xff'": new Uint8Array([255]),
  true: true, false: false, null: null,
  "[1]": [1], "[1.0]": [new Double(1)], "[]": [],
  "{'a': 1}": CelMap.from([["a", 1]]), "{1: 1.0}": CelMap.from([[1, new Double(1)]]), "{1u: 1}": CelMap.from([[new Uint(1), 1]]), "{}": new CelMap(),
  "timestamp('2024-02-29T12:34:56.5+02:00')": parseTimestamp("2024-02-29T12:34:56.5+02:00"),
  "timestamp('9999-12-31T23:59:59.999999999Z')": parseTimestamp("9999-12-31T23:59:59.999999999Z"),
  "duration('1s')": parseDuration("1s"), "duration('-1ns')": parseDuration("-1ns"),
  "duration('9223372036854775807ns')": parseDuration("9223372036854775807ns"), "duration('-9223372036854775808ns')": parseDuration("-9223372036854775808ns"),
  int: INT,
};

describe("every operator on every pair, as recorded", () => {
  for (const [symbol, answers] of Object.entries(file.answers)) {
    const unary = symbol.startsWith("unary ");
    const name = unary ? `${symbol.slice(6)}_` : symbol === "in" ? "@in" : `_${symbol}_`;
    const width = unary ? 1 : file.operands.length;
    test.each(file.operands.map((left, i) => ({ left, row: answers.slice(i * width, (i + 1) * width) })))(
      `$left ${symbol} each`,
      ({ left, row }) => {
        const run = dynamicOperators.get(name) as (a: Value, b: Value) => Value;
        row.forEach((index, j) => {
          const right = unary ? "" : (file.operands[j] as string);
          const got = answerOf(run(operands[left], operands[right]));
          expect({ right, ...got }).toEqual({ right, ...recorded(file.results[index] as Answer) });
        });
      },
    );
  }
});
