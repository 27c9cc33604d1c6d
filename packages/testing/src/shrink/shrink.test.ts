import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shrink } from "./shrink.ts";

type Json = { [key: string]: unknown };

// biome-ignore format: one case per line
const cases: { name: string; from: Json; keep: (value: Json) => boolean; want: Json }[] = [
  { name: "everything can go",        from: { a: 1, b: { c: [1, 2] } },          keep: () => true,                                        want: {} },
  { name: "a field stays",            from: { a: { b: 5, c: 1 }, d: 1 },         keep: (v) => (v.a as Json)?.b !== undefined,             want: { a: { b: 0 } } },
  { name: "a number above a bound",   from: { n: 1000 },                         keep: (v) => Number(v.n) > 17,                           want: { n: 18 } },
  { name: "a negative number",        from: { n: -1000 },                        keep: (v) => Number(v.n) < 0,                            want: { n: -1 } },
  { name: "a text with a part",       from: { s: "xxxneedlexxx" },               keep: (v) => String(v.s).includes("needle"),             want: { s: "needle" } },
  { name: "a list of a length",       from: { l: Array(1000).fill("abc") },      keep: (v) => (v.l as unknown[])?.length >= 137,          want: { l: [...Array(16).fill(""), ...Array(121).fill("abc")] } },
  { name: "an element in the middle", from: { l: [1, 2, { x: 1, y: 2 }, 3, 4] }, keep: (v) => JSON.stringify(v.l ?? 0).includes('"x"'),   want: { l: [{ x: 0 }] } },
  { name: "two elements apart",       from: { l: [7, 1, 2, 3, 9] },              keep: (v) => [7, 9].every((n) => (v.l as number[])?.includes(n)), want: { l: [7, 9] } },
  { name: "a boolean",                from: { b: true, c: true },                keep: (v) => v.b !== undefined && v.c === true,          want: { b: false, c: true } },
];

describe("shrink", () => {
  test.each(cases)("$name", ({ from, keep, want }) => expect(shrink(from, keep)).toEqual(want));

  test("a very large number needs few steps", () => {
    expect(shrink({ n: 2 ** 31 - 1 }, ({ n }) => n > 17, { steps: 100 })).toEqual({ n: 18 });
  });

  test("a key that JavaScript treats unlike others", () => {
    const from = JSON.parse('{"__proto__": {"x": 1}, "y": 2}') as Json;
    expect(JSON.stringify(shrink(from, (v) => Object.hasOwn(v, "__proto__")))).toBe('{"__proto__":{}}');
  });

  test("asks no more often than it may, and not once the signal has aborted", () => {
    let asked = 0;
    const from = { l: Array.from({ length: 100 }, (_, i) => ({ i })) };
    const long = ({ l }: Partial<typeof from>): boolean => ++asked > 0 && (l?.length ?? 0) > 50;
    shrink(from, long, { steps: 20 });
    expect(asked).toBe(20);
    expect(shrink(from, () => true, { signal: { aborted: true } })).toBe(from);
  });

  test("the result keeps the property, never grows, and is always the same", () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 3 }), fc.nat(60), (given, size) => {
        const from = JSON.parse(JSON.stringify(given)) as Json;
        // False is the smaller of the two, though it takes a letter more.
        const length = (value: Json): number =>
          JSON.stringify(value, (_, item) => (item === true ? false : item)).length;
        if (length(from) < size) return;
        const keep = (value: Json): boolean => length(value) >= size;
        const small = shrink(from, keep);
        expect(keep(small)).toBe(true);
        expect(length(small)).toBeLessThanOrEqual(length(from));
        expect(shrink(from, keep)).toEqual(small);
      }),
    );
  });
});
