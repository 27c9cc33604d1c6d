// Some compiled rules are kept, others given up.

import { Invalid } from "@celadon/kube/errors";
import { expect, test } from "vitest";
import { RULE_CACHE_SIZE, RuleCache } from "./cache.ts";

test("a rule is compiled once, one that does not compile too", () => {
  const cache = new RuleCache();
  for (const text of ["self == 'a'", "self =="]) expect(cache.get(text)).toBe(cache.get(text));
  expect(cache.get("self ==")).toBeInstanceOf(Invalid);
  expect(cache.size).toBe(2);
});

test("the text counts, not its meaning", () => {
  const cache = new RuleCache();
  expect(cache.get("true")).not.toBe(cache.get("true "));
});

test("the least recently used is given up", () => {
  const cache = new RuleCache(2);
  for (const text of ["true", "false", "true", "self == 'a'"]) cache.get(text);
  expect(["true", "false", "self == 'a'"].map((text) => cache.has(text))).toEqual([true, false, true]);
});

test("it never exceeds its capacity", () => {
  const cache = new RuleCache();
  for (let i = 0; i < RULE_CACHE_SIZE + 100; i++) cache.get(`self == '${i}'`);
  expect(cache.size).toBe(1024);
  expect(cache.has("self == '99'")).toBe(false);
  expect(cache.has("self == '100'")).toBe(true);
});
