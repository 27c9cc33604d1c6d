import { expect, test } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

test("drops the entry that was used least recently", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2);
  expect(map.use("a")).toBe(1);
  map.set("c", 3);
  expect([...map]).toEqual([
    ["a", 1],
    ["c", 3],
  ]);
});

test("reading alone keeps nothing", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2);
  expect([map.get("a"), map.use("x")]).toEqual([1, undefined]);
  map.set("c", 3);
  expect(map.has("a")).toBe(false);
});

test("setting again replaces, and makes the entry the newest", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  expect([...map.keys()]).toEqual(["a", "c"]);
  expect(map.get("a")).toBe(3);
});
