// All matches of a text: in time linear in the text for every pattern, and the same in blocks as in one piece.

import { describe, expect, test } from "vitest";
import { CelError } from "../value/error.ts";
import { Stop } from "../value/size/stop.ts";
import { beginWork, endWork } from "../value/size/work.ts";
import { compileRegex, DEFAULT_LIMITS, type Regex, type RegexLimits } from "./index.ts";

function compile(pattern: string, limits: RegexLimits = DEFAULT_LIMITS): Regex {
  const regex = compileRegex(pattern, limits);
  if (regex instanceof CelError) throw new Error(regex.message);
  return regex;
}

/** The number of looks at the clock during an action: once per so many steps of work. */
function looksDuring(action: () => void): number {
  let looks = 0;
  const outer = beginWork(
    {
      interrupted: () => {
        looks++;
        return false;
      },
    },
    true,
  );
  action();
  endWork(outer);
  return looks;
}

// biome-ignore format: one case per line
const hostile = [
  { pattern: "c.*d|c",               unit: "c" },
  { pattern: "(?:c.*d|c)(e?)",       unit: "c" },
  { pattern: "(a|ab)(bcd|c)*x|a",    unit: "abc" },
  { pattern: "(?:a{50})*b|a",        unit: "a" },
  { pattern: "(a?){30}a{30}",        unit: "a" },
  { pattern: "\\b\\w+\\b(?:.*!)?",   unit: "word " },
  { pattern: "(?m)^.*$",             unit: "line\n" },
  { pattern: "[ab]{60}a|b",          unit: "abbabaab" },
];

describe("steps grow with the text, not with its square", () => {
  test.each(hostile)("$pattern", ({ pattern, unit }) => {
    const text = unit.repeat(Math.ceil(30_000 / unit.length));
    const [once, fourTimes] = [text, text.repeat(4)].map((s) => looksDuring(() => compile(pattern).findAll(s)));
    expect(fourTimes).toBeGreaterThan(0);
    expect(fourTimes).toBeLessThan(8 * (once as number) + 8);
  });
});

test("blocks agree with one piece", () => {
  const text = "ab😀c ab\nabc c😀d ".repeat(40);
  for (const pattern of [
    "c.*d|c",
    "(a)(b)?|\\b(c)",
    "(?m)^a.|.$",
    "(?s).{100}",
    "",
    "\\B",
    "😀(.)",
    "(\\w+)\\s(\\w+)",
  ]) {
    const whole = compile(pattern).matches(text);
    for (const automatonSize of [8, 40, 200, 1000])
      expect(compile(pattern, { ...DEFAULT_LIMITS, automatonSize }).matches(text), pattern).toEqual(whole);
    expect(whole.length, pattern).toBeGreaterThan(0);
  }
});

test("sets too many and too large to tell apart have matches with groups all the same", () => {
  const many = Array.from({ length: 1_500 }, (_, i) => `[a\\x{${(0x4000 + 4 * i).toString(16)}}]`).join("");
  const found = compile(`b(${many})`).find(`xxb${"a".repeat(1_500)}`);
  expect([found?.start, found?.end, found?.groups[0]?.length]).toEqual([2, 1503, 1500]);
});

test("a long search is interrupted inside", () => {
  let looks = 0;
  const outer = beginWork({ interrupted: () => ++looks === 3 }, true);
  expect(() => compile("[ab]{100}a|b").findAll("abbabaab".repeat(50_000))).toThrow(Stop as unknown as ErrorConstructor);
  endWork(outer);
  expect(looks).toBe(3);
});
