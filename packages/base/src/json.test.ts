import { expect, test } from "vitest";
import { Double } from "./double.ts";
import { isRecord, jsonKind, own, setOwn, valueAt } from "./json.ts";

test("keys of any name", () => {
  const object: Record<string, unknown> = {};
  setOwn(object, "__proto__", { polluted: true });
  setOwn(object, "a", 1);
  expect(Object.keys(object)).toEqual(["__proto__", "a"]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(own(object, "__proto__")).toEqual({ polluted: true });
  expect(own(object, "toString")).toBeUndefined();
  expect(own(undefined, "a")).toBeUndefined();
});

test("the value at a path", () => {
  const value = { a: [{ b: "found" }] };
  expect(valueAt(value, ["a", 0, "b"])).toBe("found");
  expect(valueAt(value, [])).toBe(value);
  expect(valueAt(value, ["a", 1, "b"])).toBeUndefined();
  expect(valueAt(value, ["a", "length"])).toBe(1);
  expect(valueAt(value, ["constructor"])).toBeUndefined();
});

// biome-ignore format: one case per line
test.each<[unknown, string, boolean]>([
  [{},                "object",  true],
  [[],                "array",   false],
  [null,              "null",    false],
  [new Double(1),     "number",  false],
  [1,                 "integer", false],
  [2n ** 60n,         "integer", false],
  [1.5,               "number",  false],
  ["",                "string",  false],
  [true,              "boolean", false],
])("%o is of kind %s", (value, kind, record) => {
  expect(jsonKind(value)).toBe(kind);
  expect(isRecord(value)).toBe(record);
});
