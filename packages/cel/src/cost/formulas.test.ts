import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CelMap } from "../value/collection/map.ts";
import { celError } from "../value/error.ts";
import { DYN } from "../value/type.ts";
import { Optional } from "../value/value.ts";
import type { CostFormula, Range, SizedArg } from "./formula.ts";
import {
  affix,
  bytesToString,
  concatenation,
  containment,
  costs,
  elements,
  fixed,
  quoting,
  regexSearch,
  scan,
  scanLesser,
  scanSum,
  stringToBytes,
  withSize,
} from "./formulas.ts";
import { exactly, MAX, ONE, range, UNKNOWN } from "./range.ts";

const sized = (...sizes: Range[]): SizedArg[] => sizes.map((size) => ({ type: DYN, size, sizeKnown: true }));
const text = (length: number) => "x".repeat(length);

// biome-ignore format: one case per line
const cases: { name: string; formula: CostFormula; args: unknown[]; actual: number; sizes: Range[]; cost: Range; size?: Range }[] = [
  { name: "fixed",                formula: fixed(3),      args: [text(9)],            actual: 3,  sizes: [UNKNOWN],                cost: exactly(3) },
  { name: "scan",                 formula: scan(0),       args: [text(11)],           actual: 2,  sizes: [range(0, 11)],           cost: range(0, 2) },
  { name: "scan of empty",        formula: scan(0),       args: [""],                 actual: 0,  sizes: [exactly(0)],             cost: exactly(0) },
  { name: "scan twice",           formula: scan(0, 2),    args: [text(11)],           actual: 3,  sizes: [exactly(11)],            cost: exactly(3) },
  { name: "scan of code points",  formula: scan(0),       args: ["👍".repeat(10)],    actual: 1,  sizes: [exactly(10)],            cost: exactly(1) },
  { name: "scan of an error",     formula: scan(0),       args: [celError("overflow", "integer overflow")], actual: 1, sizes: [ONE], cost: ONE },
  { name: "scan of an optional",  formula: scan(0),       args: [Optional.of(text(25))], actual: 3, sizes: [exactly(25)],          cost: exactly(3) },
  { name: "concatenated text",    formula: scanSum(0, 1), args: [text(6), text(5)],   actual: 2,  sizes: [range(1, 6), exactly(5)], cost: range(1, 2), size: range(6, 11) },
  { name: "concatenated lists",   formula: concatenation, args: [[1, 2], [3]],        actual: 1,  sizes: [exactly(2), exactly(1)], cost: ONE, size: exactly(3) },
  { name: "equality",             formula: scanLesser(),  args: [text(5), text(90)],  actual: 1,  sizes: [range(0, 25), range(7, 90)], cost: range(1, 3) },
  { name: "equality with empty",  formula: scanLesser(),  args: ["", text(90)],       actual: 0,  sizes: [exactly(0), UNKNOWN],    cost: exactly(0) },
  { name: "equality of unknowns", formula: scanLesser(),  args: [new CelMap(), {}],   actual: 0,  sizes: [UNKNOWN, UNKNOWN],       cost: range(1, 1844674407370955264n) },
  { name: "containment",          formula: containment(), args: [text(25), text(15)], actual: 6,  sizes: [range(0, 25), exactly(15)], cost: range(0, 6) },
  { name: "regular expression",   formula: regexSearch(), args: ["", text(9)],        actual: 3,  sizes: [range(0, 10), exactly(9)], cost: range(3, 6) },
  { name: "elements",             formula: elements(1),   args: [1, [1, 2, 3]],       actual: 3,  sizes: [ONE, range(0, 7)],       cost: range(0, 7) },
  { name: "prefix",               formula: affix,         args: [text(55), "x"],      actual: 1,  sizes: [exactly(55), exactly(1)], cost: ONE },
  { name: "text to bytes",        formula: stringToBytes, args: [text(12)],           actual: 2,  sizes: [range(3, 12)],           cost: range(1, 2), size: range(3, 48) },
  { name: "bytes to text",        formula: bytesToString, args: [new Uint8Array(12)], actual: 2,  sizes: [range(9, 12)],           cost: range(1, 2), size: range(2, 12) },
  { name: "quoting",              formula: quoting,       args: [text(12)],           actual: 2,  sizes: [range(3, 12)],           cost: range(1, 2), size: range(5, 26) },
];

test.each(cases)("$name", ({ formula, args, actual, sizes, cost, size }) => {
  expect(formula.actual(args, null)).toBe(actual);
  expect(formula.estimate(sized(...sizes))).toEqual(size === undefined ? { cost } : { cost, size });
});

test("sizes that upstream lets wrap around do", () => {
  expect(stringToBytes.estimate(sized(UNKNOWN)).size).toEqual({ min: 0n, max: MAX - 3n });
  expect(quoting.estimate(sized(UNKNOWN)).size).toEqual({ min: 2n, max: 0n });
});

test("entry sizes of a concatenation are united when both are known", () => {
  const list = (value: Range): SizedArg => ({
    type: DYN,
    size: ONE,
    sizeKnown: true,
    entries: { container: "list", key: ONE, value },
  });
  expect(concatenation.estimate([list(range(1, 2)), list(range(5, 6))]).entries).toEqual({
    container: "list",
    key: ONE,
    value: range(1, 6),
  });
  expect(concatenation.estimate([list(ONE), ...sized(ONE)]).entries).toBeUndefined();
});

test("a missing argument is of unknown size", () => {
  expect(elements(1).estimate(sized(ONE))).toEqual({ cost: UNKNOWN });
});

describe("derived formulas", () => {
  test("withSize adds a size where there is one", () => {
    const formula = withSize(fixed(1), ([list]) => list?.size);
    expect(formula.fixed).toBe(1);
    expect(formula.estimate(sized(exactly(7)))).toEqual({ cost: ONE, size: exactly(7) });
    expect(withSize(fixed(1), () => undefined).estimate([])).toEqual({ cost: ONE });
  });

  test("costs splits both sides", () => {
    const formula = costs({ estimate: scan(1).estimate, actual: scan(0).actual });
    expect(formula.fixed).toBeUndefined();
    expect(formula.actual([text(30), ""], true)).toBe(3);
  });
});

test("charges lie within estimates", () => {
  const formulas = [scan(0), scan(1, 2), scanSum(0, 1), containment(), regexSearch(), elements(1)];
  fc.assert(
    fc.property(fc.nat(500), fc.nat(500), fc.constantFrom(...formulas), (a, b, formula) => {
      const estimate = formula.estimate(sized(range(0, a), exactly(b))).cost;
      const actual = BigInt(formula.actual([text(a), text(b)], null));
      expect(estimate.min <= actual && actual <= estimate.max).toBe(true);
    }),
  );
});
