import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactly, range } from "../cost/range.ts";
import { CelMap } from "../value/collection/map.ts";
import { equal } from "../value/equal.ts";
import { DYN } from "../value/type.ts";
import { Double, Duration, ListValue, Optional, Timestamp, Uint, type Value } from "../value/value.ts";
import { call, rowOf } from "./library.testing.ts";
import { setsLibrary } from "./sets.ts";

/** A list with its own equality, as schemas have them. */
class SameSize extends ListValue {
  override readonly size = 1;
  override get(): Value {
    return 1;
  }
  override equals(other: Value): boolean {
    return Array.isArray(other) && other.length === 1;
  }
}

const run = (name: string, a: unknown, b: unknown) => call(setsLibrary, `list_sets_${name}_list`, a, b);

// biome-ignore format: one case per line
test.each<[name: string, a: Value[], b: Value[], want: boolean]>([
  ["contains",   [],                [],                                   true],
  ["contains",   [1],               [],                                   true],
  ["contains",   [],                [1],                                  false],
  ["contains",   [1, 2, 3, 4],      [2, 3],                               true],
  ["contains",   [1, new Double(2), new Uint(3)], [new Double(1), 2, 3],  true],
  ["contains",   [[1], [2, 3]],     [[2, new Double(3)]],                 true],
  ["contains",   ["1"],             [1],                                  false],
  ["contains",   [Number.NaN],      [Number.NaN],                         false],
  ["contains",   [null, true],      [true, null],                         true],
  ["equivalent", [],                [],                                   true],
  ["equivalent", [1],               [1, 1],                               true],
  ["equivalent", [1, 2],            [2, 3],                               false],
  ["equivalent", [1, 2, 3],         [new Uint(3), new Double(2), 1],      true],
  ["intersects", [1],               [],                                   false],
  ["intersects", [1],               [1, 2],                               true],
  ["intersects", [[1], [2, 3]],     [[1, 2], [2, new Double(3)]],         true],
  ["intersects", [9007199254740993n], [9007199254740992],                 true],
])("%s(%o, %o)", (name, a, b, want) => expect(run(name, a, b)).toBe(want));

const scalar = fc.oneof(
  fc.integer({ min: 0, max: 12 }),
  fc.integer({ min: 0, max: 12 }).map((n) => new Double(n)),
  fc.integer({ min: 0, max: 12 }).map((n) => new Uint(n)),
  fc.constantFrom<Value>(
    "a",
    "b",
    "",
    true,
    false,
    null,
    Number.NaN,
    1.5,
    9007199254740993n,
    2 ** 53,
    9007199254740992n,
    new Timestamp(1, 0),
    new Duration(1, 0),
    new Uint8Array([1]),
    Optional.none,
    new SameSize(),
  ),
);
const few = fc.oneof(fc.constantFrom<Value>(1, new Double(1), "a", Number.NaN, 2 ** 53, 9007199254740993n), scalar);
const value = fc.oneof(
  scalar,
  fc.array(few, { maxLength: 2 }),
  few.map((a): Value => ({ a })),
  few.map((a): Value => CelMap.from([["a", a]])),
  few.map((a): Value => CelMap.from([[1, a]])),
  few.map((a): Value => ({ b: [a], a: { c: a } })),
  few.map((a) => Optional.of(a)),
);
const list = fc.array(value, { maxLength: 40 });

describe("against comparing everything with everything", () => {
  const has = (in_: readonly Value[], elem: Value) => in_.some((other) => equal(elem, other) === true);
  test("all three", () => {
    fc.assert(
      fc.property(list, list, (a, b) => {
        const [ab, ba] = [b.every((elem) => has(a, elem)), a.every((elem) => has(b, elem))];
        expect(run("contains", a, b)).toBe(ab);
        expect(run("equivalent", a, b)).toBe(ab && ba);
        expect(run("intersects", a, b)).toBe(a.some((elem) => has(b, elem)));
      }),
    );
  });
});

test("a list's own contains() is used", () => {
  class Everything extends ListValue {
    override readonly size = 100;
    override get(index: number): Value {
      return index;
    }
    override contains(): boolean {
      return true;
    }
  }
  expect(run("contains", new Everything(), ["x"])).toBe(true);
  expect(run("intersects", ["x"], new Everything())).toBe(true);
});

test("costs are the product of the sizes, doubled if both directions are compared", () => {
  const sized = [range(0, 5), exactly(3)].map((size) => ({ type: DYN, size, sizeKnown: true }));
  const contains = rowOf(setsLibrary, "list_sets_contains_list").cost;
  const equivalent = rowOf(setsLibrary, "list_sets_equivalent_list").cost;
  expect(contains.estimate(sized)).toEqual({ cost: range(1, 16) });
  expect(equivalent.estimate(sized)).toEqual({ cost: range(1, 31) });
  expect(
    contains.actual(
      [
        [1, 2],
        [1, 2, 3],
      ],
      true,
    ),
  ).toBe(7);
  expect(
    equivalent.actual(
      [
        [1, 2],
        [1, 2, 3],
      ],
      true,
    ),
  ).toBe(13);
});
