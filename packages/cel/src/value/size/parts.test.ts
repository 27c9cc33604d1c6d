import { expect, test } from "vitest";
import { CelMap } from "../collection/map.ts";
import { toJson } from "../to-json.ts";
import { Optional, type Value } from "../value.ts";
import { isTooLargeToWrite } from "./parts.ts";

/** Two of the value before, so many times: few parts, and 2^levels of them written out. */
function doubled(levels: number, pair: (value: Value) => Value): Value {
  let value: Value = "x";
  for (let i = 0; i < levels; i++) value = pair(value);
  return value;
}

// biome-ignore format: one pair per line
const pairs: readonly (readonly [name: string, pair: (value: Value) => Value])[] = [
  ["list",     (value) => [value, value]],
  ["object",   (value) => ({ a: value, b: value })],
  ["map",      (value) => CelMap.from([["a", value], ["b", value]])],
  ["optional", (value) => [Optional.of(value), value]],
];

test.each(pairs)("shared parts count as often as they are written: %s", (_, pair) => {
  expect(isTooLargeToWrite(doubled(15, pair))).toBe(false);
  expect(isTooLargeToWrite(doubled(60, pair))).toBe(true);
  expect(() => toJson(doubled(60, pair))).toThrow(RangeError);
  expect(JSON.stringify(toJson(doubled(10, pair))).match(/"x"/g)).toHaveLength(1024);
});

test("data that contains itself is too large; plain data is not", () => {
  const list: unknown[] = [];
  list.push(list);
  expect(isTooLargeToWrite(list)).toBe(true);
  expect(isTooLargeToWrite(Array.from({ length: 100_000 }, (_, i) => ({ i })))).toBe(false);
  for (const scalar of [1, 1n, "a", null, true, new Uint8Array(9_000_000)])
    expect(isTooLargeToWrite(scalar)).toBe(false);
});
