import { isError } from "@celadon/cel";
import { compileRegex } from "@celadon/cel/regex";
import fc from "fast-check";
import { expect, test } from "vitest";
import { complement, containing, endingWith, holds, inCase, oneOf, startingWith, within } from "./language.ts";
import { patternLanguage } from "./pattern.ts";
import { shortestIn } from "./search.ts";

const ANY = { least: 0, most: 40 };

const PATTERNS = [
  "^a+$",
  "a|b",
  "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
  "\\bx\\b",
  "(?i)abc",
  "^$",
  "a$",
  "(?m)^a$",
  "x{2,3}y?",
  "[^/]+/[^/]+",
  "^(a|ab)(c|bcd)$",
  "\\d+\\.",
  "é+",
  "^\\S+$",
  "(a*)+b",
  "\\Ba",
];

test.each(PATTERNS)("%s finds what the engine finds", (pattern) => {
  const regex = compileRegex(pattern);
  const language = patternLanguage(pattern);
  if (isError(regex) || language === undefined) throw new Error(pattern);
  const texts = fc.string({ unit: fc.constantFrom(..."abcdxyA/-.1é \n_"), maxLength: 8 });
  fc.assert(
    fc.property(texts, (text) => holds(language, text) === regex.test(text)),
    { numRuns: 300 },
  );
  const found = shortestIn([language], ANY);
  if (typeof found === "object") expect(regex.test(found.text)).toBe(true);
  const other = shortestIn([complement(language)], ANY);
  if (typeof other === "object") expect(regex.test(other.text)).toBe(false);
});

// biome-ignore format: one case per line
const cases = [
  { name: "prefix and suffix",         languages: [startingWith("ab"), endingWith("bc")],                    want: { text: "abc" } },
  { name: "overlapping parts",         languages: [containing("aab"), endingWith("ba")],                     want: { text: "aaba" } },
  { name: "two prefixes",              languages: [startingWith("a"), startingWith("b")],                    want: "none" },
  { name: "a prefix and not it",       languages: [startingWith("a"), complement(containing("a"))],          want: "none" },
  { name: "one of a set, not another", languages: [oneOf(["a", "b"]), complement(oneOf(["a"]))],             want: { text: "b" } },
  { name: "with something around",     languages: [within(oneOf(["abc"]), "a", "c")],                        want: { text: "b" } },
  { name: "in another case",           languages: [inCase(oneOf(["ab"]), "lower"), startingWith("A")],       want: { text: "Ab" } },
  { name: "never upper in lower case", languages: [inCase(startingWith("A"), "lower")],                      want: "none" },
] as const;
test.each(cases)("$name", ({ languages, want }) => {
  expect(shortestIn([...languages], ANY)).toEqual(want);
});

test("a length that no text has", () => {
  expect(shortestIn([oneOf(["a", "abc"])], { least: 2, most: 2 })).toBe("none");
  expect(shortestIn([oneOf(["a", "b"])], { least: 1, most: 1 }, new Set(["a", "b"]))).toBe("none");
});
