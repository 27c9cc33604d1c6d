// Lists of errors in a Status: whole as long as anybody reads them, then cut, with how many are left out.

import { expect, test } from "vitest";
import { invalidValue } from "./field-error.ts";
import { MAX_FIELD_ERRORS } from "./limits.ts";
import { invalidObject } from "./status.ts";

const KIND = { group: "", kind: "Pod" };
const errors = (count: number, detail = "bad") =>
  Array.from({ length: count }, (_, i) => invalidValue(`spec.f${i}`, i, detail));

test("a thousand errors are all listed", () => {
  const { message = "", details } = invalidObject(KIND, "a", errors(MAX_FIELD_ERRORS));
  expect(details?.causes).toHaveLength(MAX_FIELD_ERRORS);
  expect(message).toMatch(/^Pod "a" is invalid: \[spec\.f0: .*, spec\.f999: Invalid value: 999: bad\]$/);
});

test("later ones are counted", () => {
  const { message = "", details } = invalidObject(KIND, "a", errors(MAX_FIELD_ERRORS + 1));
  expect(details?.causes).toHaveLength(MAX_FIELD_ERRORS);
  expect(message.endsWith(", ... and 1 more error]")).toBe(true);
});

test("long errors end the list sooner, but the first is whole", () => {
  const { message = "", details } = invalidObject(KIND, "a", errors(900, "x".repeat(100_000)));
  expect(message.length).toBeLessThan(1_000_000);
  expect(message).toMatch(/and \d+ more errors\]$/);
  expect(details?.causes?.length).toBeGreaterThan(1);
  expect(invalidObject(KIND, "a", errors(1, "x".repeat(2_000_000))).message?.length).toBeGreaterThan(2_000_000);
});
