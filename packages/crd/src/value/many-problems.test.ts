// Values with very many problems: the list ends, ratcheting still takes back what did not change, and texts are not made for nothing.

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

test("what is taken back makes room again", () => {
  const both = { type: "object", properties: { old: schema, now: schema } };
  const old = Array(2_000).fill("x");
  const correlation = new Correlation({ old, now: ["y"] }, { old, now: [] }, both);
  const errors = new ValueValidator(both).validate({ old, now: ["y"] }, { correlation });
  expect(errors.map(({ path, value }) => [path.toString(), value])).toEqual([["now[0]", "y"]]);
});
