import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSameType } from "../types/compare-types.ts";
import {
  DYN,
  formatType,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  STRING,
  struct,
  type Type,
  typeOfType,
  wrapper,
} from "../value/type.ts";
import { readType } from "./environment.testing.ts";
import { typeVar } from "./type-vars.ts";
import { MAX_TYPE_SIZE, moreGeneral, Substitution } from "./unify.ts";

const assigns = (from: string, to: string): boolean => new Substitution().assign(readType(from), readType(to));

// biome-ignore format: one case per line
const pairs = [
  { from: "int",                to: "int",                   fits: true },
  { from: "int",                to: "uint",                  fits: false },
  { from: "int",                to: "dyn",                   fits: true },
  { from: "any",                to: "string",                fits: true },
  { from: "int",                to: "wrapper(int)",          fits: true },
  { from: "wrapper(int)",       to: "int",                   fits: true },
  { from: "wrapper(int)",       to: "wrapper(int)",          fits: true },
  { from: "wrapper(int)",       to: "wrapper(uint)",         fits: false },
  { from: "null",               to: "wrapper(int)",          fits: true },
  { from: "null",               to: "int",                   fits: false },
  { from: "null",               to: "list(int)",             fits: false },
  { from: "null",               to: "map(int, int)",         fits: false },
  { from: "null",               to: "type",                  fits: false },
  { from: "null",               to: "null",                  fits: true },
  { from: "null",               to: "duration",              fits: true },
  { from: "null",               to: "timestamp",             fits: true },
  { from: "null",               to: "a.Message",             fits: true },
  { from: "null",               to: "optional_type(int)",    fits: true },
  { from: "a.Message",          to: "a.Message",             fits: true },
  { from: "a.Message",          to: "b.Message",             fits: false },
  { from: "list(int)",          to: "list(dyn)",             fits: true },
  { from: "list(int)",          to: "list(string)",          fits: false },
  { from: "list(int)",          to: "map(int, int)",         fits: false },
  { from: "map(string, int)",   to: "map(string, dyn)",      fits: true },
  { from: "map(string, int)",   to: "map(int, dyn)",         fits: false },
  { from: "type(int)",          to: "type(string)",          fits: true },
  { from: "type(int)",          to: "type",                  fits: true },
  { from: "vec(int)",           to: "vec(int)",              fits: true },
  { from: "vec(int)",           to: "vec(int, int)",         fits: false },
  { from: "vec(int)",           to: "bag(int)",              fits: false },
  { from: "optional_type(int)", to: "int",                   fits: false },
  { from: "duration",           to: "timestamp",             fits: false },
];
test.each(pairs)("$from for $to: $fits", ({ from, to, fits }) => {
  expect(assigns(from, to)).toBe(fits);
  expect(assigns(to, from)).toBe(fits);
});

describe("type variables", () => {
  test("take the type they meet and keep it", () => {
    const s = new Substitution();
    const a = s.fresh();
    expect(s.assign(listOf(INT), listOf(a))).toBe(true);
    expect(s.apply(mapOf(STRING, a))).toEqual(mapOf(STRING, INT));
    expect(s.assign(STRING, a)).toBe(false);
    expect(s.assign(INT, a)).toBe(true);
  });

  test("become more general, never less", () => {
    const s = new Substitution();
    const a = s.fresh();
    expect(s.assign(INT, a) && s.assign(DYN, a)).toBe(true);
    expect(s.apply(a)).toBe(DYN);
    expect(s.assign(STRING, a)).toBe(true);
    expect(s.apply(a)).toBe(DYN);
  });

  test("forget what a failed question taught", () => {
    const s = new Substitution();
    const a = s.fresh();
    const b = s.fresh();
    expect(s.assign(mapOf(INT, STRING), mapOf(a, listOf(b)))).toBe(false);
    expect(s.apply(a)).toBe(a);
    expect(s.close(mapOf(a, b))).toEqual(mapOf(DYN, DYN));
  });

  test("are not bound to a type that contains them", () => {
    const s = new Substitution();
    const a = s.fresh();
    const b = s.fresh();
    expect(s.assign(a, listOf(a))).toBe(false);
    expect(s.assign(a, listOf(b))).toBe(true);
    expect(s.assign(b, listOf(a))).toBe(false);
  });

  test("follow each other", () => {
    const s = new Substitution();
    const [a, b, c] = [s.fresh(), s.fresh(), s.fresh()] as const;
    expect(s.assign(a, b) && s.assign(b, c) && s.assign(c, INT)).toBe(true);
    expect([a, b, c].map((v) => s.apply(v))).toEqual([INT, INT, INT]);
  });

  test("of declared types are distinguished by name", () => {
    const s = new Substitution();
    expect(s.assign(readType("list(T)"), listOf(INT))).toBe(true);
    expect(s.apply(readType("map(T, U)"))).toEqual(mapOf(INT, readType("U")));
  });

  test("beyond the pool behave the same", () => {
    const s = new Substitution();
    s.reserve(100_000);
    const a = s.fresh();
    expect(formatType(a)).toBe("_var100000");
    expect(s.assign(a, INT)).toBe(true);
    expect(s.apply(typeVar(100_000))).toBe(INT);
  });
});

test("the more general of two types", () => {
  expect(moreGeneral(INT, DYN)).toBe(DYN);
  expect(moreGeneral(listOf(INT), listOf(DYN))).toEqual(listOf(DYN));
  expect(moreGeneral(wrapper(INT), INT)).toEqual(wrapper(INT));
  expect(moreGeneral(INT, wrapper(INT))).toBe(INT);
  expect(moreGeneral(NULL, struct("M"))).toEqual(struct("M"));
  expect(moreGeneral(struct("M"), NULL)).toBe(NULL);
});

test("work on types that double with every step ends", () => {
  const s = new Substitution();
  const vars = Array.from({ length: 64 }, () => s.fresh());
  for (let i = 0; i + 1 < vars.length; i++) {
    s.assign(vars[i] as Type, mapOf(vars[i + 1] as Type, vars[i + 1] as Type));
  }
  s.apply(vars[0] as Type);
  expect(s.exhausted).toBe(true);
  expect(s.bounded(listOf(INT)).size).toBeLessThan(MAX_TYPE_SIZE);
});

const typeArbitrary: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(
      ...[
        "bool",
        "int",
        "uint",
        "double",
        "string",
        "bytes",
        "null",
        "dyn",
        "any",
        "duration",
        "timestamp",
        "a.M",
        "b.M",
        "wrapper(int)",
        "wrapper(string)",
        "type",
      ].map(readType),
    ),
    fc.integer({ min: 0, max: 3 }).map(typeVar),
    tie("type").map(listOf),
    fc.tuple(tie("type"), tie("type")).map(([key, value]) => mapOf(key, value)),
    tie("type").map(optionalOf),
    tie("type").map((of) => opaque("vec", of)),
    tie("type").map(typeOfType),
  ),
})).type;
const closedArbitrary = typeArbitrary.filter((type) => !type.open);

describe("properties", () => {
  test("a closed type fits itself and dyn", () => {
    fc.assert(
      fc.property(closedArbitrary, (type) => {
        expect(new Substitution().assign(type, type)).toBe(true);
        expect(new Substitution().assign(type, DYN)).toBe(true);
      }),
    );
  });
  test("closed types fit in both directions or in none", () => {
    fc.assert(
      fc.property(closedArbitrary, closedArbitrary, (a, b) => {
        expect(new Substitution().assign(a, b)).toBe(new Substitution().assign(b, a));
      }),
    );
  });
  test("an unbound variable unifies with any closed type, on either side", () => {
    fc.assert(
      fc.property(closedArbitrary, (type) => {
        for (const [from, to] of [
          [typeVar(0), type],
          [type, typeVar(0)],
        ] as const) {
          const s = new Substitution();
          expect(s.assign(from, to)).toBe(true);
          expect(isSameType(s.apply(typeVar(0)), type)).toBe(true);
        }
      }),
    );
  });
  test("questions end, and a failed one changes nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(typeArbitrary, typeArbitrary), { maxLength: 8 }), (questions) => {
        const s = new Substitution();
        const vars = [0, 1, 2, 3].map(typeVar);
        for (const [from, to] of questions) {
          const before = vars.map((v) => formatType(s.apply(v)));
          if (!s.assign(from, to)) {
            expect(vars.map((v) => formatType(s.apply(v)))).toEqual(before);
          }
        }
      }),
    );
  });
  test("closing leaves no variable", () => {
    fc.assert(
      fc.property(typeArbitrary, typeArbitrary, (a, b) => {
        const s = new Substitution();
        s.assign(a, b);
        expect(s.close(a).open).toBe(false);
      }),
    );
  });
});
