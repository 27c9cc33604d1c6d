import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeName, RESERVED_WORDS, unescapeName } from "./escape.ts";

// biome-ignore format: one name per line
const names: readonly (readonly [name: string, escaped: string | undefined])[] = [
  ["a",          "a"],
  ["a.b",        "a__dot__b"],
  ["a-b",        "a__dash__b"],
  ["a/b",        "a__slash__b"],
  ["a__b",       "a__underscores__b"],
  ["a___a",      "a__underscores___a"],
  ["a____a",     "a__underscores____underscores__a"],
  ["a__dot__a",  "a__underscores__dot__underscores__a"],
  ["a.-/__a",    "a__dot____dash____slash____underscores__a"],
  ["_",          "_"],
  ["__",         "__underscores__"],
  [".",          "__dot__"],
  ["namespace",  "__namespace__"],
  ["in",         "__in__"],
  ["void",       "__void__"],
  ["namespaces", "namespaces"],
  ["int",        "int"],
  ["",           undefined],
  ["1a",         undefined],
  ["a b",        undefined],
  ["$a",         undefined],
  ["a@b",        undefined],
  ["é",          undefined],
  ["a\n",        undefined],
];

test.each(names)("%j escapes to %j", (name, escaped) => {
  expect(escapeName(name)).toBe(escaped);
  if (escaped !== undefined) expect(unescapeName(escaped)).toBe(name);
});

test.each([...RESERVED_WORDS])("the word %s", (word) => {
  expect(escapeName(word)).toBe(`__${word}__`);
  expect(unescapeName(`__${word}__`)).toBe(word);
});

describe("sequences that escaping never makes", () => {
  test.each(["__x__", "a__foo__", "__if__x", "x__if__", "a__if____dot__"])("%s", (escaped) => {
    expect(unescapeName(escaped)).toBeUndefined();
  });
  test.each(["a__", "__a", "____", "__a_b__", "a_b"])("%s is left as it is", (escaped) => {
    expect(unescapeName(escaped)).toBe(escaped);
  });
});

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const pieces = fc.constantFrom(
  "a",
  "Z",
  "0",
  "_",
  "__",
  "___",
  ".",
  "-",
  "/",
  "dot",
  "__dot__",
  "if",
  "__if__",
  "underscores",
  "é",
  " ",
);
const anyName = fc.oneof(
  fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join("")),
  fc.string(),
);

test("what can be escaped becomes an identifier and comes back", () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const escaped = escapeName(name);
      if (escaped === undefined) return;
      expect(escaped).toMatch(IDENTIFIER);
      expect(RESERVED_WORDS.has(escaped)).toBe(false);
      expect(unescapeName(escaped)).toBe(name);
    }),
  );
});

test("no two names escape to the same", () => {
  fc.assert(
    fc.property(anyName, anyName, (a, b) => {
      fc.pre(a !== b && escapeName(a) !== undefined);
      expect(escapeName(a)).not.toBe(escapeName(b));
    }),
  );
});

test("exactly the names of the allowed characters can be escaped", () => {
  fc.assert(
    fc.property(anyName, (name) => {
      expect(escapeName(name) !== undefined).toBe(/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name));
    }),
  );
});
