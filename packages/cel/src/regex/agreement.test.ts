// Random patterns on random texts: the automaton agrees with re2js reading the same text, also when its table is too small to
// be of use, and with JavaScript's own engine where the two languages mean the same. A failure prints its seed.

import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { CelError } from "../value/error.ts";
import { compileRegex, DEFAULT_LIMITS, type Regex, type RegexLimits, type RegexMatch } from "./index.ts";

const RUNS = Number(process.env.REGEX_RUNS ?? 300);

const plain = fc.constantFrom("a", "b", "c", "0", "_", "-", " ", "k", "s", "é", "σ", "😀", "\\.", "\\n", "\\x{1F600}");
const sets = fc.constantFrom(
  ".",
  "[a-c]",
  "[^a]",
  "[^a-z\\n]",
  "\\d",
  "\\w",
  "\\W",
  "\\s",
  "[é-ü😀]",
  "[\\d_-]",
  "[\\S\\s]",
);
const common = fc.oneof(
  { weight: 6, arbitrary: plain },
  { weight: 4, arbitrary: sets },
  { weight: 2, arbitrary: fc.constantFrom("^", "$", "\\b", "\\B") },
);
const ours = fc.oneof(
  { weight: 6, arbitrary: common },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "\\A",
      "\\z",
      "\\pL",
      "\\P{Lu}",
      "\\p{Greek}",
      "[[:alpha:]]",
      "[[:^word:]]",
      "\\Qa.b\\E",
      "[]a]",
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom("(?i)", "(?s)", "(?m)", "(?U)", "(?-i)", "(?i-m)") },
);
const repetitions = fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "{1,3}", "{2,}", "*?", "+?", "??", "{0,2}?", "{0}");

function patterns(atom: fc.Arbitrary<string>, groups: readonly string[]): fc.Arbitrary<string> {
  const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
    piece: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      atom,
      fc.tuple(fc.constantFrom(...groups), tie("pattern")).map(([open, body]) => `${open}${body})`),
      fc
        .tuple(fc.constantFrom(...groups), tie("pattern"), repetitions)
        .map(([open, body, times]) => `${open}${body})${times}`),
      fc.tuple(fc.oneof(plain, sets), repetitions).map(([item, times]) => item + times),
    ),
    pattern: fc
      .array(fc.array(tie("piece"), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
      .map((branches) => branches.map((pieces) => pieces.join("")).join("|")),
  }));
  return pattern;
}

const characters = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("a", "b", "c", "0", "_", "-", " ", "\n", ".", "k", "s", "A") },
  { weight: 2, arbitrary: fc.constantFrom("é", "σ", "Σ", "ς", "😀", "\u212a", "ſ", "漢") },
  { weight: 1, arbitrary: fc.constantFrom("\ud83d", "\ude00") },
);
const texts = fc.array(characters, { maxLength: 12 }).map((list) => list.join(""));

function compile(pattern: string, limits: RegexLimits = DEFAULT_LIMITS): Regex {
  const regex = compileRegex(pattern, limits);
  if (regex instanceof CelError) throw new Error(`${pattern}: ${regex.message}`);
  return regex;
}

describe("the automaton agrees", () => {
  const anything = patterns(ours, ["(", "(?:", "(?i:", "(?s:", "(?m:"]);
  const inputs = fc.array(texts, { minLength: 1, maxLength: 6 });

  test("with re2js", () => {
    fc.assert(
      fc.property(anything, inputs, (pattern, list) => {
        const reference = RE2JS.compile(pattern);
        const regex = compile(pattern);
        for (const text of list) {
          expect(regex.test(text), JSON.stringify(text)).toBe(reference.test(text));
          for (let from = 0; from <= text.length; from++)
            if (isBoundary(text, from))
              expect(regex.find(text, from), `${JSON.stringify(text)} from ${from}`).toEqual(
                found(reference, text, from),
              );
        }
      }),
      { numRuns: RUNS },
    );
  });

  test("with itself when its table overflows", () => {
    const tiny = { ...DEFAULT_LIMITS, automatonSize: 48 };
    fc.assert(
      fc.property(anything, inputs, (pattern, list) => {
        const roomy = compile(pattern);
        const cramped = compile(pattern, tiny);
        for (const text of [...list, list.join("")])
          expect([cramped.test(text), cramped.matches(text)], JSON.stringify(text)).toEqual([
            roomy.test(text),
            roomy.matches(text),
          ]);
      }),
      { numRuns: RUNS },
    );
  });

  test("with JavaScript's engine", () => {
    const shared = patterns(common, ["(", "(?:"]);
    fc.assert(
      fc.property(shared, inputs, (pattern, list) => {
        const native = new RegExp(toNative(pattern), "su");
        const regex = compile(pattern);
        for (const text of list) {
          // V8 also looks for \B between the halves of a surrogate pair, where there is no character boundary.
          if (pattern.includes("\\B") && /[\ud800-\udfff]/.test(text)) continue;
          expect(regex.test(text), JSON.stringify(text)).toBe(native.test(text));
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** Not between the two halves of a pair. */
const isBoundary = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) <= 0xffff;

/** The first match with its groups, as re2js has it. */
function found(pattern: RE2JS, text: string, from: number): RegexMatch | undefined {
  const positions = pattern.groupCount() + 1;
  const [, at] = pattern.re2().matchWithGroup(text, from, text.length, 0, positions) as [boolean, number[] | null];
  if (at === null || at.length === 0) return undefined;
  const textAt = (group: number): string | undefined =>
    (at[2 * group] as number) < 0 ? undefined : text.slice(at[2 * group], at[2 * group + 1]);
  const groups = Array.from({ length: positions - 1 }, (_, group) => textAt(group + 1));
  return { start: at[0] as number, end: at[1] as number, text: textAt(0) as string, groups };
}

/** JavaScript spells some of it differently: code points, \s without the vertical tab, a dot that stops at more line ends. */
function toNative(pattern: string): string {
  return pattern
    .replaceAll("\\x{1F600}", "\\u{1F600}")
    .replaceAll("[\\d_-]", "[\\d_\\-]")
    .replaceAll("[\\S\\s]", "[^]")
    .replaceAll(/\\s/g, "[\\t\\n\\f\\r ]")
    .replaceAll(/(?<!\\)\./g, "[^\\n]");
}
