import { expect, test } from "vitest";
import { LruCache } from "./cache.ts";

test("drops the entry that was used least recently", () => {
  const cache = new LruCache<number>(2);
  cache.set("a", 1);
  cache.set("b", 2);
  expect(cache.get("a")).toBe(1);
  cache.set("c", 3);
  expect(cache.get("b")).toBeUndefined();
  expect([cache.get("a"), cache.get("c"), cache.size]).toEqual([1, 3, 2]);
});

test("setting again replaces", () => {
  const cache = new LruCache<number>(1);
  cache.set("a", 1);
  cache.set("a", 2);
  expect([cache.get("a"), cache.size]).toEqual([2, 1]);
});
