import fc from "fast-check";
import { expect, test } from "vitest";
import { createEnv, type Env } from "../../env.ts";
import { listsLibrary } from "../../lib/index.ts";
import { equal } from "../equal.ts";
import { DYN, INT, listOf } from "../type.ts";
import { ConcatList } from "./concat-list.ts";
import { concatLists, type List, listGet, listSize, toArray } from "./list.ts";

test("reads as a copy would", () => {
  const parts = fc.array(fc.array(fc.integer(), { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(parts, fc.boolean(), (lists, left) => {
      const joined = left
        ? lists.reduce<List>((a, b) => new ConcatList(a, b), new ConcatList([], []))
        : lists.reduceRight<List>((b, a) => new ConcatList(a, b), new ConcatList([], []));
      const flat = lists.flat();
      expect(listSize(joined)).toBe(flat.length);
      expect(flat.map((_, i) => listGet(joined, i))).toEqual(flat);
      expect(toArray(joined)).toEqual(flat);
      expect(equal(joined, flat)).toBe(true);
      expect(equal(flat, joined)).toBe(true);
    }),
  );
});

test("long lists are joined without reading them", () => {
  let reads = 0;
  const list = new Proxy([...Array(1000).keys()], {
    get(target, key, receiver) {
      if (typeof key === "string" && /^\d+$/.test(key)) reads++;
      return Reflect.get(target, key, receiver);
    },
  });
  const joined = concatLists(list, list) as List;
  expect(listSize(joined)).toBe(2000);
  expect(reads).toBe(0);
  expect(listGet(joined, 1999)).toBe(999);
  expect(reads).toBeLessThan(3);
});

test("an absent element is null", () => {
  expect(listGet(new ConcatList([undefined], new Array(1)), 0)).toBe(null);
  expect(toArray(new ConcatList([undefined], new Array(1)))).toEqual([null, null]);
});

test("is a list like any other to every function, in both forms", () => {
  const env: Env = createEnv({ variables: { x: DYN }, libraries: [listsLibrary()] });
  const x = Array.from({ length: 300 }, (_, i) => i);
  const both = [...x, ...x];
  // biome-ignore format: one case per line
  const cases: readonly (readonly [expr: string, want: unknown])[] = [
    ["(x + x).size()", 600], ["(x + x)[300]", 0], ["(x + x)[599]", 299], ["7 in (x + x)", true], ["(x + x).all(i, i < 300)", true],
    ["(x + x).map(i, i + 1) == (x + x).map(i, i + 1)", true], ["x + x == x + x", true], ["(x + x).distinct() == x", true],
    ["(x + x).slice(299, 301)", [299, 0]], ["(x + x).reverse()[0]", 299], ["(x + x).sort()[1]", 0], ["(x + [x]).flatten() == x + x", true],
    ["type(x + x) == list", true], ["{'a': x + x}.a.size()", 600], ["[x + x].map(l, l.size())", [600]], ["(x + x + x + [1]).size()", 901],
  ];
  for (const mode of ["interpreted", "compiled"] as const) {
    for (const [expr, want] of cases) expect(env.program(expr, { mode }).evaluate({ x }).value, expr).toEqual(want);
    expect(env.program("x + x", { mode, type: listOf(INT) }).evaluate({ x }).value).toEqual(both);
  }
});
