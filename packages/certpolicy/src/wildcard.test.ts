import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allMatch, matchesWildcard } from "./wildcard.ts";

describe("wildcards", () => {
  // biome-ignore format: one case per line
  const cases = [
    { pattern: "",                text: "",                   want: true },
    { pattern: "",                text: "a",                  want: false },
    { pattern: "*",               text: "",                   want: true },
    { pattern: "*.example.com",   text: "a.b.example.com",    want: true },
    { pattern: "*.example.com",   text: "*.example.com",      want: true },
    { pattern: "*.example.com",   text: "example.com",        want: false },
    { pattern: "a*b*c",           text: "abbbc",              want: true },
    { pattern: "a*b*c",           text: "acb",                want: false },
    { pattern: "a?c",             text: "abc",                want: false },
    { pattern: "[a]",             text: "a",                  want: false },
    { pattern: "A",               text: "a",                  want: false },
    { pattern: "*\u{1f600}",      text: "x\u{1f600}",         want: true },
  ];
  test.each(cases)("$pattern ~ $text", ({ pattern, text, want }) => expect(matchesWildcard(pattern, text)).toBe(want));

  test("as a regular expression with .* for each star", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 12 });
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", ".", "*"), maxLength: 8 });
    fc.assert(
      fc.property(pattern, letters, (given, text) => {
        const expression = new RegExp(`^${given.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
        return matchesWildcard(given, text) === expression.test(text);
      }),
      { numRuns: 2000 },
    );
  });

  test("many stars do not take long", () => {
    expect(matchesWildcard("a*".repeat(500), `${"a".repeat(20_000)}b`.repeat(1))).toBe(true);
    expect(matchesWildcard(`${"a*".repeat(500)}c`, "a".repeat(20_000))).toBe(false);
  });

  test("every text needs a pattern, not every pattern a text", () => {
    expect(allMatch(["a*", "b"], ["a1", "a2"])).toBe(true);
    expect(allMatch(["a*"], ["a1", "b"])).toBe(false);
    expect(allMatch([], [])).toBe(true);
  });
});
