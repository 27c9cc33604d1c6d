import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contains } from "./collection/contains.ts";
import { CelMap } from "./collection/map.ts";
import { compare } from "./compare.ts";
import { equal } from "./equal.ts";
import { CelError, noSuchOverload } from "./error.ts";
import { INT, opaque, Type } from "./type.ts";
import { Double, Duration, ListValue, Opaque, Optional, Timestamp, Uint, type Value } from "./value.ts";

/** Compares with nothing: every comparison is an error. */
class Prickly extends Opaque {
  readonly type: Type = opaque("example.Prickly");
  equals(): CelError {
    return noSuchOverload();
  }
}
class SetList extends ListValue {
  readonly #elements: readonly Value[];
  constructor(...elements: Value[]) {
    super();
    this.#elements = elements;
  }
  get size(): number {
    return this.#elements.length;
  }
  get(index: number): Value {
    return this.#elements[index];
  }
  override equals(other: Value): boolean {
    return Array.isArray(other) && this.#elements.every((e) => other.includes(e));
  }
}

// biome-ignore format: one case per line
const cases: readonly (readonly [a: unknown, b: unknown, want: boolean])[] = [
  [1, 1, true], [1, new Double(1), true], [1, new Uint(1), true], [new Uint(1), new Double(1), true], [1, "1", false], [1, true, false],
  [new Double(-0), 0, true], [Number.NaN, Number.NaN, false], [Number.NaN, 1, false],
  [9007199254740993n, 9007199254740992, true],       // rounded beside a double
  [9007199254740993n, 9007199254740992n, false],     // exact between ints
  [9223372036854775807n, 2 ** 63, true],
  [new Uint(18446744073709551615n), 2 ** 64, true],
  [new Uint(9223372036854775808n), 9223372036854775807n, false],
  [-1, new Uint(18446744073709551615n), false],
  [null, null, true], [null, 0, false], [0, null, false], [null, undefined, true],
  ["a", "a", true], ["a", new Uint8Array([97]), false],
  [new Uint8Array([1, 2]), new Uint8Array([1, 2]), true], [new Uint8Array([1]), new Uint8Array([1, 2]), false],
  [[1, [2]], [new Double(1), [new Uint(2)]], true], [[1], [1, 2], false], [[Number.NaN], [Number.NaN], false], [[], {}, false],
  [[undefined], [null], true],
  [{ a: 1 }, { a: new Double(1) }, true], [{ a: 1 }, { b: 1 }, false], [{ a: 1 }, { a: 1, b: 2 }, false], [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, CelMap.from([["a", 1]]), true], [CelMap.from([["a", 1]]), { a: 1 }, true],
  [CelMap.from([[1, "x"]]), CelMap.from([[new Uint(1), "x"]]), true],
  [CelMap.from([[new Double(1), "x"]]), CelMap.from([[1, "x"]]), true],   // a double key finds the int
  [CelMap.from([[1, "x"]]), CelMap.from([[new Double(1), "x"]]), false],  // but not the other way round
  [{ toString: 1 }, { constructor: 1 }, false],
  [JSON.parse('{"__proto__": {"a": 1}}'), {}, false], [JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}'), true],
  [new Timestamp(5, 1, 60), new Timestamp(5, 1, 0), true], [new Timestamp(5, 1), new Timestamp(5, 2), false], [new Timestamp(5, 0), new Duration(5, 0), false],
  [new Duration(1, 5), new Duration(1, 5), true],
  [INT, new Type("int", "int"), true], [INT, "int", false],
  [Optional.none, Optional.none, true], [Optional.of(1), Optional.of(new Double(1)), true], [Optional.of(1), Optional.none, false], [Optional.of(1), 1, false],
  [new SetList("a", "b"), ["b", "a"], true], [["b", "a"], new SetList("a", "b"), false],   // the left side decides
];

test.each(cases)("%o == %o is %s", (a, b, want) => expect(equal(a, b)).toBe(want));

test("a library's failed comparison is an error, but is ignored inside containers", () => {
  expect(equal(new Prickly(), 1)).toBeInstanceOf(CelError);
  expect(equal([new Prickly()], [1])).toBe(true);
  expect(equal([new Prickly(), 1], [1, 2])).toBe(false);
  expect(equal({ a: new Prickly() }, { a: 1 })).toBe(true);
  expect(contains([new Prickly(), 2], 2)).toBe(true);
  expect(contains([1], new Prickly())).toBe(false);
});

test("cyclic values end in an error", () => {
  const [a, b]: Record<string, unknown>[] = [{}, {}];
  Object.assign(a as object, { left: a, right: a });
  Object.assign(b as object, { left: b, right: b });
  expect(equal(a, b)).toBeInstanceOf(CelError);
  const list: unknown[] = [];
  list.push(list);
  expect(equal(list, [list])).toBeInstanceOf(CelError);
  expect(equal(list, [[1]])).toBe(false);
});

describe("algebra", () => {
  const numbers = fc.oneof(
    fc.integer(),
    fc.bigInt(-(1n << 63n), (1n << 63n) - 1n).map((n) => (Number.isSafeInteger(Number(n)) ? Number(n) : n)),
    fc.double().map((n) => (Number.isSafeInteger(n) ? new Double(n) : n)),
    fc.nat().map((n) => new Uint(n)),
    fc.constantFrom<Value>(new Double(0), 0, new Uint(0), 2 ** 53, 9007199254740993n, new Uint(9007199254740993n)),
  );
  const scalars = fc.oneof(numbers, fc.boolean(), fc.string({ unit: "binary" }), fc.uint8Array());
  const values = fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalars,
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 3 }),
    ),
  })).value;

  test("equality is symmetric", () =>
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(equal(a, b)).toBe(equal(b, a));
      }),
    ));
  test("a copy is equal, unless there is a NaN in it", () =>
    fc.assert(
      fc.property(values, (v) => {
        fc.pre(!hasNaN(v));
        expect(equal(v, structuredCopy(v))).toBe(true);
      }),
    ));
  test("what compares as 0 is equal and the other way round", () =>
    fc.assert(
      fc.property(scalars, scalars, (a, b) => {
        const order = compare(a, b);
        if (typeof order === "number") expect(equal(a, b)).toBe(order === 0);
        else expect(equal(a, b)).toBe(false);
      }),
    ));
  test("order turns round with its operands", () =>
    fc.assert(
      fc.property(scalars, scalars, (a, b) => {
        const [there, back] = [compare(a, b), compare(b, a)];
        if (typeof there === "number") expect(back).toBe(0 - there);
        else expect(back).toBeInstanceOf(CelError);
      }),
    ));
  test("strings are ordered as their UTF-8 bytes are", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        expect(compare(a, b)).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    ));
});

function hasNaN(v: Value): boolean {
  if (typeof v === "number") return Number.isNaN(v);
  return typeof v === "object" && v !== null && !(v instanceof Uint8Array) && Object.values(v).some(hasNaN);
}
function structuredCopy(v: Value): Value {
  if (Array.isArray(v)) return v.map(structuredCopy);
  if (typeof v !== "object" || v === null || v instanceof Double || v instanceof Uint || v instanceof Uint8Array)
    return v;
  return Object.fromEntries(Object.entries(v).map(([key, value]) => [key, structuredCopy(value)]));
}
