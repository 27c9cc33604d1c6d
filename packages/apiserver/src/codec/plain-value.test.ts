import { expect, test } from "vitest";
import { readPlain } from "./plain-value.ts";

test("integers of 64 bits are exact, whole doubles are no integers", () => {
  const body = readPlain('{"a": 9007199254740993, "b": 1.0, "c": 1e300}');
  expect(body).toMatchObject({ value: { a: 9007199254740993n, b: { value: 1 }, c: 1e300 }, duplicates: [] });
});

// Numbers are rejected as by sigs.k8s.io/json.
test.each(["1e999", "-1e999", `1${"0".repeat(400)}`])("a number that no double is near to is an error", (number) => {
  const error = `json: cannot unmarshal number ${number} into Go value of type float64`;
  expect(readPlain(`{"a": [1, {"b": ${number}}], "c": 1e999}`)).toEqual({ error });
});
