// A function of the host returns a value of its declared type, or an error that names the function.

import { describe, expect, test } from "vitest";
import { fixed } from "../cost/formulas.ts";
import { createEnv } from "../env.ts";
import { fn } from "../lib/library.ts";
import { DOUBLE, DYN, INT, listOf, STRING, type Type, UINT } from "../value/type.ts";
import { Double, Uint } from "../value/value.ts";

/** `expr` over a function `f()` that answers `result` where `type` is declared. */
function answers(type: Type, result: unknown, expr: string, mode: "interpreted" | "compiled"): unknown {
  const f = fn("f", "f", [], type as Type<unknown, unknown>, fixed(1), () => result);
  const { value, error } = createEnv({ functions: [f] })
    .program(expr, { mode })
    .evaluate();
  return error === undefined ? value : error.message;
}

// biome-ignore format: one case per line
const cases: readonly (readonly [type: Type, result: unknown, expr: string, want: unknown])[] = [
  [INT,            5,                   "f() + 1",     6],
  [INT,            5n,                  "f() == 5",    true],
  [INT,            -0,                  "f()",         0],
  [INT,            2n ** 63n,           "f()",         "integer overflow"],
  [INT,            1.5,                 "f() + 1",     "function 'f' answered the double 1.5, not int"],
  [INT,            "1",                 "f()",         "function 'f' answered string, not int"],
  [INT,            undefined,           "f()",         "function 'f' answered undefined, not int"],
  [INT,            Promise.resolve(1),  "f() == 1",    "function 'f' answered a promise, not int"],
  [UINT,           5,                   "f() == 5u",   true],
  [UINT,           new Uint(5),         "f() == 5u",   true],
  [UINT,           -1,                  "f()",         "unsigned integer overflow"],
  [DOUBLE,         2,                   "f() == 2.0",  true],
  [DOUBLE,         new Double(2),       "f() == 2.0",  true],
  [DOUBLE,         "2",                 "f()",         "function 'f' answered string, not double"],
  [STRING,         null,                "f()",         "function 'f' answered null, not string"],
  [DYN,            3,                   "f() == 3",    true],
  [DYN,            Promise.resolve(1),  "f() == 1",    "function 'f' answered a promise, not dyn"],
  [DYN,            undefined,           "f()",         "function 'f' answered undefined, not dyn"],
  [listOf(DOUBLE), [1, 2],              "f()[0] == 1.0", true],
  [listOf(INT),    { a: 1 },            "f()",         "function 'f' answered map(dyn, dyn), not list(int)"],
];

describe.each(["interpreted", "compiled"] as const)("%s", (mode) => {
  test.each(cases)("declared %s, answering %s: %s", (type, result, expr, want) => {
    expect(answers(type, result, expr, mode)).toEqual(want);
  });
});
