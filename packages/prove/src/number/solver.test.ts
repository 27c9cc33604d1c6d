import fc from "fast-check";
import { expect, test } from "vitest";
import type { Constraint, Linear } from "./linear.ts";
import { narrowed, valuesFor } from "./solver.ts";

const NAMES = ["x", "y", "z"];
const RANGE = { least: -3n, most: 3n };
const ranges = new Map(NAMES.map((name) => [name, RANGE]));

const sums = fc
  .tuple(fc.tuple(...NAMES.map(() => fc.integer({ min: -2, max: 2 }))), fc.integer({ min: -5, max: 5 }))
  .map(
    ([factors, rest]): Linear => ({
      factors: new Map(NAMES.flatMap((name, i) => (factors[i] === 0 ? [] : [[name, BigInt(factors[i] as number)]]))),
      constant: BigInt(rest),
    }),
  );
const constraints = fc.array(
  fc.record({ sum: sums, is: fc.constantFrom("atLeastZero" as const, "zero" as const, "notZero" as const) }),
  { maxLength: 5 },
);

function sumOf({ factors, constant }: Linear, values: ReadonlyMap<string, bigint>): bigint {
  return [...factors].reduce((sum, [name, factor]) => sum + factor * (values.get(name) as bigint), constant);
}

function hold(all: readonly Constraint[], values: ReadonlyMap<string, bigint>): boolean {
  return all.every(({ sum, is }) => {
    const value = sumOf(sum, values);
    return is === "zero" ? value === 0n : is === "notZero" ? value !== 0n : value >= 0n;
  });
}

function* everyValue(): Iterable<ReadonlyMap<string, bigint>> {
  for (let x = -3n; x <= 3n; x++)
    for (let y = -3n; y <= 3n; y++)
      for (let z = -3n; z <= 3n; z++)
        yield new Map([
          ["x", x],
          ["y", y],
          ["z", z],
        ]);
}

test("an impossible system has no solution, and no solution is cut away", () => {
  fc.assert(
    fc.property(constraints, (all) => {
      const solutions = [...everyValue()].filter((values) => hold(all, values));
      const left = narrowed(ranges, all);
      if (left === undefined) return solutions.length === 0;
      return solutions.every((values) =>
        NAMES.every((name) => {
          const { least, most } = left.get(name)!;
          return values.get(name)! >= least && values.get(name)! <= most;
        }),
      );
    }),
    { numRuns: 1000 },
  );
});

test("values that are found are solutions", () => {
  fc.assert(
    fc.property(constraints, (all) => {
      const values = valuesFor(ranges, all, new Map());
      return values === undefined || hold(all, values);
    }),
    { numRuns: 500 },
  );
});

test("an order that closes a circle is impossible, however wide the ranges", () => {
  const less = (a: string, b: string): Constraint => ({
    sum: {
      factors: new Map([
        [b, 1n],
        [a, -1n],
      ]),
      constant: -1n,
    },
    is: "atLeastZero",
  });
  const wide = { least: -(2n ** 63n), most: 2n ** 63n - 1n };
  expect(
    narrowed(
      new Map([
        ["x", wide],
        ["y", wide],
      ]),
      [less("x", "y"), less("y", "x")],
    ),
  ).toBeUndefined();
});
