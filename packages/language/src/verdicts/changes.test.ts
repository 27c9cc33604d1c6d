import { expect, test } from "vitest";
import { candidates, withValue } from "./changes.ts";

// biome-ignore format: one value per line
test.each([
  { before: 9,                      words: [5],                     first: 5 },
  { before: true,                   words: [],                      first: false },
  { before: "docker.io/acme/app:1", words: ["registry.example/"],   first: "registry.example/app:1" },
  { before: "a.bank.svc",           words: [".shop.svc"],           first: "a.shop.svc" },
  { before: "a.bank.svc",           words: ["*.shop.svc"],          first: "a.shop.svc" },
  { before: "Always",               words: ["IfNotPresent"],        first: "IfNotPresent" },
  { before: ["a.bank.svc"],         words: ["*.shop.svc"],          first: ["a.shop.svc"] },
  { before: { a: "b" },             words: ["app"],                 first: { a: "b", app: "x" } },
])("$before held against $words", ({ before, words, first }) => {
  const all = [...candidates(before, words)];
  expect(all[0]).toEqual(first);
  expect(all.at(-1)).toBeUndefined();
});

// biome-ignore format: one place per line
test.each([
  { path: ["a", "b"],    value: 2,         want: { a: { b: 2, c: [1, 2] } } },
  { path: ["a", "b"],    value: undefined, want: { a: { c: [1, 2] } } },
  { path: ["a", "c", 0], value: undefined, want: { a: { b: 1, c: [2] } } },
  { path: ["a", "c", 1], value: 7,         want: { a: { b: 1, c: [1, 7] } } },
  { path: ["d", "e"],    value: 1,         want: { a: { b: 1, c: [1, 2] }, d: { e: 1 } } },
  { path: ["a", "c", 9], value: 1,         want: undefined },
  { path: ["a", "b", 0], value: 1,         want: undefined },
])("$path becomes $value", ({ path, value, want }) => {
  expect(withValue({ a: { b: 1, c: [1, 2] } }, path, value)).toEqual(want);
});
