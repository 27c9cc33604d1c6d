// Values with very many problems: the list ends, ratcheting still removes problems of unchanged values, and texts are only made when
// needed.

import { MAX_FIELD_ERRORS } from "@celadon/kube/errors";
import { expect, test } from "vitest";
import { Correlation } from "./correlation.ts";
import { ValueValidator } from "./validator.ts";

const entries = Array.from({ length: 200 }, (_, i) => `value-${i}`);
const schema = { type: "array", items: { type: "string", enum: entries } };

test("a value that no enumeration has counts once a place, up to a thousand", () => {
  const errors = new ValueValidator(schema).validate(Array(75_000).fill("x"));
  expect(errors).toHaveLength(MAX_FIELD_ERRORS);
  expect(errors[0]).toMatchObject({ type: "FieldValueNotSupported", value: "x" });
  // All have the same text: it is not made for each.
  expect(errors[1]!.detail).toBe(errors[0]!.detail);
});

test("a removed problem makes room again", () => {
  const both = { type: "object", properties: { old: schema, now: schema } };
  const old = Array(2_000).fill("x");
  const correlation = new Correlation({ old, now: ["y"] }, { old, now: [] }, both);
  const errors = new ValueValidator(both).validate({ old, now: ["y"] }, { correlation });
  expect(errors.map(({ path, value }) => [path.toString(), value])).toEqual([["now[0]", "y"]]);
});

test("branches of branches are looked at once a level", () => {
  const nested = (depth: number): object => ({
    type: "object",
    properties: { a: { oneOf: [{ type: "boolean" }, depth === 0 ? { type: "string" } : nested(depth - 1)] } },
  });
  const value = (depth: number): unknown => (depth === 0 ? { a: 1 } : { a: value(depth - 1) });
  const started = performance.now();
  const errors = new ValueValidator(nested(40)).validate(value(40));
  // Each level reports its branches; two to the power of forty checks would never end.
  expect(errors.at(-1)).toMatchObject({ type: "FieldValueTypeInvalid" });
  expect(errors.length).toBeGreaterThan(40);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("once the list of errors is full, the rest of a value is not looked at", () => {
  let asked = 0;
  const watched = new Proxy(Array(100_000).fill(1), {
    get: (list, key) => {
      if (key !== "length") asked++;
      return Reflect.get(list, key);
    },
  });
  expect(new ValueValidator(schema).validate(watched)).toHaveLength(MAX_FIELD_ERRORS);
  expect(asked).toBeLessThan(2 * MAX_FIELD_ERRORS);
});
