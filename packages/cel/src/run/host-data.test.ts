// Data of hosts that no value of its declared type is: an error of the evaluation, interpreted or compiled.

import { describe, expect, test } from "vitest";
import { fixed } from "../cost/formulas.ts";
import { createEnv, DOUBLE, DYN, fn, listOf, TIMESTAMP, UINT } from "../index.ts";
import { listsLibrary } from "../lib/index.ts";

const halves = fn("halves", "halves", [], listOf(DOUBLE), fixed(1), () => [1, 2]);
const env = createEnv({
  variables: { u: UINT, t: TIMESTAMP, us: listOf(UINT), ds: listOf(DOUBLE), any: DYN },
  libraries: [listsLibrary()],
  functions: [halves],
});
const fine = { u: 1, t: new Date(0), us: [], ds: [1, 2], any: [1, 2] };

// biome-ignore format: one case per line
const cases: { expr: string; data: object; want: unknown }[] = [
  { expr: "u == 5u",              data: { u: 5 },                     want: true },
  { expr: "u == 5u",              data: { u: 2n ** 64n - 1n },        want: false },
  { expr: "u == 5u",              data: { u: -1 },                    want: "-1 is no uint" },
  { expr: "u == 5u",              data: { u: 1.5 },                   want: "1.5 is no uint" },
  { expr: "u == 5u",              data: { u: Number.NaN },            want: "NaN is no uint" },
  { expr: "u == 5u",              data: { u: 2n ** 64n },             want: "18446744073709551616 is no uint" },
  { expr: "us.all(x, x > 0u)",    data: { us: [1, -1] },              want: "-1 is no uint" },
  { expr: "us[0] > 0u",           data: { us: [-1] },                 want: "-1 is no uint" },
  { expr: "t.getFullYear() == 1970", data: {},                        want: true },
  { expr: "t.getFullYear() == 1970", data: { t: new Date(Number.NaN) }, want: "Invalid Date is no timestamp" },
  { expr: "t == t",               data: { t: new Date(8.64e15) },     want: /is no timestamp$/ },
  // Only data given under a type is converted to it, wherever it goes later; other data stays as it is.
  { expr: "ds.distinct().all(x, x * 0.5 < 2.0)", data: {},            want: true },
  { expr: "ds.reverse()[0] * 0.5 == 1.0", data: {},                   want: true },
  { expr: "[ds, ds].map(l, l[0] + 0.5) == [1.5, 1.5]", data: {},      want: true },
  { expr: "halves().map(x, x + 0.5) == [1.5, 2.5]", data: {},         want: true },
  { expr: "any.distinct().map(x, x + 0.5) == []", data: {},           want: /^no such overload/ },
  { expr: "any.reverse()[0] * 0.5 == 1.0", data: {},                  want: /^no such overload/ },
  { expr: "t == t || true",       data: { t: new Date(Number.NaN) },  want: true },
];

describe.each(["interpreted", "compiled"] as const)("%s", (mode) => {
  test.each(cases)("$expr with $data", ({ expr, data, want }) => {
    const { value, error } = env.program(expr, { mode }).evaluate({ ...fine, ...data });
    if (typeof want === "boolean") expect(value).toBe(want);
    else if (want instanceof RegExp) expect(error?.message).toMatch(want);
    else expect(error).toMatchObject({ code: "invalid_argument", message: want });
  });
});
