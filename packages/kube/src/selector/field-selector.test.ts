import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Invalid } from "../invalid.ts";
import { recorded } from "../recorded.testing.ts";
import { escapeFieldValue, type Fields, parseFieldSelector, unescapeFieldValue } from "./field-selector.ts";

type Row = { text: string; fields: Fields } & ({ error: string } | { canonical: string; matches: boolean });

describe("as recorded", () => {
  test.each(recorded<Row>("field-selectors", import.meta.url))("$text", (row) => {
    const selector = parseFieldSelector(row.text);
    if ("error" in row) expect(selector).toEqual(new Invalid(row.error));
    else {
      if (selector instanceof Invalid) throw new Error(selector.message);
      expect(selector.toString()).toBe(row.canonical);
      expect(selector.matches(row.fields)).toBe(row.matches);
    }
  });
});

test("escaping goes there and back", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "\\", ",", "=", "é", "😀") }), (value) => {
      expect(unescapeFieldValue(escapeFieldValue(value))).toBe(value);
      const selector = parseFieldSelector(`metadata.name=${escapeFieldValue(value)}`);
      if (selector instanceof Invalid) throw new Error(selector.message);
      expect(selector.exactValue("metadata.name")).toBe(value);
      expect(selector.matches({ "metadata.name": value })).toBe(true);
      expect(selector.matches({ "metadata.name": `${value}x` })).toBe(false);
    }),
  );
});

test("an absent field is empty", () => {
  const selector = parseFieldSelector("a=,toString=");
  if (selector instanceof Invalid) throw new Error(selector.message);
  expect(selector.matches({})).toBe(true);
  expect(selector.exactValue("b")).toBeUndefined();
});
