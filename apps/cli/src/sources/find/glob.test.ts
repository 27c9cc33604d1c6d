import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expandBraces, parseGlobs, type Segment } from "./glob.ts";

const segment = (pattern: string): Segment => parseGlobs(pattern)![0]!.segments[0]!;

describe("names", () => {
  // biome-ignore format: one case per line
  const cases = [
    { pattern: "*.yaml",       yes: ["a.yaml", "a.b.yaml"],     no: [".yaml", ".a.yaml", "a.yml", "a.yaml2"] },
    { pattern: ".*",           yes: [".a", "."],                no: ["a"] },
    { pattern: "?.yaml",       yes: ["a.yaml", "é.yaml", "😀.yaml"], no: ["ab.yaml", ".yaml"] },
    { pattern: "[a-c]x*",      yes: ["ax", "cxy"],              no: ["dx", "x", "a"] },
    { pattern: "[!a-c]*",      yes: ["d", "-"],                 no: ["a", "bx"] },
    { pattern: "[^a]*",        yes: ["b"],                      no: ["a"] },
    { pattern: "[]a]*",        yes: ["]", "ab"],                no: ["b"] },
    { pattern: "[a-]*",        yes: ["-", "a"],                 no: ["b"] },
    { pattern: "[ab*",         yes: ["[ab", "[abc"],            no: ["a"] },
    { pattern: "a\\*?",        yes: ["a*b"],                    no: ["axb"] },
    { pattern: "*a*b*",        yes: ["ab", "xaxbx"],            no: ["ba"] },
    { pattern: "{x*",          yes: ["{xy"],                    no: ["x"] },
  ];
  test.each(cases)("$pattern", ({ pattern, yes, no }) => {
    const { matches } = segment(pattern);
    expect(yes.filter((name) => !matches(name))).toEqual([]);
    expect(no.filter(matches)).toEqual([]);
  });
});

describe("braces", () => {
  // biome-ignore format: one case per line
  const cases = [
    { pattern: "a",             want: ["a"] },
    { pattern: "{a,b}",         want: ["a", "b"] },
    { pattern: "x{a,b}y{c,d}",  want: ["xayc", "xayd", "xbyc", "xbyd"] },
    { pattern: "{a,{b,c}d}",    want: ["a", "bd", "cd"] },
    { pattern: "{a,}",          want: ["a", ""] },
    { pattern: "{a}",           want: ["{a}"] },
    { pattern: "{a}{b,c}",      want: ["{a}b", "{a}c"] },
    { pattern: "{a,b",          want: ["{a,b"] },
    { pattern: "\\{a,b}",       want: ["\\{a,b}"] },
    { pattern: "{a\\,b,c}",     want: ["a\\,b", "c"] },
  ];
  test.each(cases)("$pattern", ({ pattern, want }) => expect(expandBraces(pattern)).toEqual(want));

  test("too many alternatives match nothing", () => expect(expandBraces("{a,b}".repeat(20))).toBeUndefined());
});

describe("where a search starts", () => {
  // biome-ignore format: one case per line
  const cases = [
    { pattern: "*.yaml",          want: "",      segments: 1 },
    { pattern: "a/b/*.yaml",      want: "a/b",   segments: 1 },
    { pattern: "/a/**/b/*.yaml",  want: "/a",    segments: 3 },
    { pattern: "/*",              want: "/",     segments: 1 },
    { pattern: "../*/x",          want: "..",    segments: 2 },
    { pattern: "a/**/**/*",       want: "a",     segments: 2 },
  ];
  test.each(cases)("$pattern", ({ pattern, want, segments }) => {
    const [glob] = parseGlobs(pattern)!;
    expect(glob!.base).toBe(want);
    expect(glob!.segments).toHaveLength(segments);
  });
});

// The same language as a regular expression, which may take its time on short texts.
test("agrees with a regular expression", () => {
  const piece = fc.constantFrom(
    "*",
    "**",
    "?",
    "a",
    "b",
    ".",
    "-",
    "[ab]",
    "[!a]",
    "[^b-]",
    "[a-b.]",
    "\\*",
    "\\a",
    "+",
    "(",
  );
  const pieces = fc.array(piece, { minLength: 1, maxLength: 7 }).filter((all) => all.join("") !== "**");
  const name = fc
    .array(fc.constantFrom("a", "b", "*", ".", "-", "c", "+", "("), { maxLength: 8 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(pieces, name, (all, text) => {
      const wantsDot = all[0] === ".";
      const model = new RegExp(`^${all.map(modelOf).join("")}$`, "s");
      expect(segment(`${all.join("")}`).matches(text)).toBe((wantsDot || !text.startsWith(".")) && model.test(text));
    }),
    { numRuns: 3000 },
  );
});

function modelOf(piece: string): string {
  if (piece === "*" || piece === "**") return ".*";
  if (piece === "?") return ".";
  if (piece.startsWith("[")) return piece.replace("[!", "[^");
  if (piece.startsWith("\\")) return piece === "\\*" ? "\\*" : piece.slice(1);
  return piece.replace(/[.+(]/, "\\$&");
}

test("stars do not multiply the time", () => {
  const { matches } = segment(`${"*a".repeat(200)}b`);
  expect(matches("a".repeat(5000))).toBe(false);
});
