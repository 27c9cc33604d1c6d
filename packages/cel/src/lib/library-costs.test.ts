import { expect, test } from "vitest";
import { fixed } from "../cost/formulas.ts";
import { call, rowOf } from "./library.testing.ts";
import { withCosts } from "./library-costs.ts";
import { stringsLibrary } from "./strings.ts";

test("costs are replaced by name, and by overload id before that", () => {
  const library = withCosts(stringsLibrary(2), { indexOf: fixed(7), string_index_of_string_int: fixed(9) });
  expect(rowOf(library, "string_index_of_string").cost.fixed).toBe(7);
  expect(rowOf(library, "string_index_of_string_int").cost.fixed).toBe(9);
  expect(rowOf(library, "string_trim").cost.fixed).toBe(1);
  expect(call(library, "string_index_of_string", "abc", "c")).toBe(2);
});

test("a name the library does not have is a mistake", () => {
  expect(() => withCosts(stringsLibrary(2), { reverse: fixed(7) })).toThrow(
    "library cel.lib.ext.strings has no function or overload 'reverse'",
  );
  expect(() => withCosts(stringsLibrary(2), { constructor: fixed(7) })).toThrow("'constructor'");
});
