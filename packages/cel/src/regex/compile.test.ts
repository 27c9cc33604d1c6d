// Whole patterns, against recorded answers: those of the Kubernetes environment, and those of Go's regexp package for odd syntax and for
// random patterns. Positions in the recordings are UTF-16 offsets, -1 for a group that took no part.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CelError, celError } from "../value/error.ts";
import { compileRegex, DEFAULT_LIMITS, type Regex } from "./index.ts";

function lines<T>(file: string): T[] {
  const text = readFileSync(new URL(`./testdata/${file}`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

function compile(pattern: string): Regex {
  const regex = compileRegex(pattern);
  if (regex instanceof CelError) throw new Error(`${pattern}: ${regex.message}`);
  return regex;
}

/** The error text, or undefined for an accepted pattern. */
function rejection(pattern: string): string | undefined {
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? regex.message : undefined;
}

interface Vector {
  readonly id: string;
  readonly pattern: string;
  readonly input: string;
  readonly op: "matches" | "find" | "findAll";
  readonly limit?: number;
  readonly want?: boolean | string | string[];
  /** The text, or "*" where the reference says only that the pattern is invalid. */
  readonly error?: string;
}

describe("results of Kubernetes", () => {
  test.each(lines<Vector>("vectors.jsonl"))("$id $pattern", ({ pattern, input, op, limit, want, error }) => {
    if (error !== undefined) {
      const message = rejection(pattern);
      expect(error === "*" && message !== undefined ? "*" : message).toBe(error);
    } else if (op === "matches") expect(compile(pattern).test(input)).toBe(want);
    else if (op === "find") expect(compile(pattern).find(input)?.text ?? "").toBe(want);
    else expect(compile(pattern).findAll(input, limit)).toEqual(want);
  });
});

describe("Go's reading of odd patterns", () => {
  const [inputs, ...rows] = lines<unknown>("go-syntax.jsonl") as [
    string[],
    ...{ pattern: string; error?: string; matches?: string }[],
  ];
  test.each(rows)("$pattern", ({ pattern, error, matches }) => {
    expect(rejection(pattern)).toBe(error);
    if (error !== undefined) return;
    const regex = compile(pattern);
    expect(inputs.map((input) => (regex.test(input) ? "1" : "0")).join("")).toBe(matches);
    for (const input of inputs) expect(regex.find(input) !== undefined).toBe(regex.test(input));
  });
});

test("Go's matches of random patterns", () => {
  interface Row {
    readonly pattern: string;
    readonly error?: string;
    readonly cases?: { readonly input: string; readonly matches: number[][] }[];
  }
  for (const { pattern, error, cases = [] } of lines<Row>("go-random.jsonl")) {
    expect([pattern, rejection(pattern)]).toEqual([pattern, error]);
    for (const { input, matches } of cases) {
      const regex = compile(pattern);
      expect([pattern, input, regex.test(input)]).toEqual([pattern, input, matches.length > 0]);
      const want = matches.map(([start = 0, end = 0, ...groups]) => ({
        start,
        end,
        text: input.slice(start, end),
        groups: taken(input, groups),
      }));
      expect([pattern, input, regex.matches(input)]).toEqual([pattern, input, want]);
    }
  }
});

function taken(input: string, positions: number[]): (string | undefined)[] {
  const groups: (string | undefined)[] = [];
  for (let i = 0; i < positions.length; i += 2) {
    groups.push((positions[i] as number) < 0 ? undefined : input.slice(positions[i], positions[i + 1]));
  }
  return groups;
}

describe("finding and replacing", () => {
  test("a search from a position sees the text before it", () => {
    expect(compile("^b").find("ab", 1)).toBeUndefined();
    expect(compile("\\bb").find("ab b", 1)?.start).toBe(3);
    expect(compile("b").find("bab", 1)?.start).toBe(2);
  });
  test("groups have names and texts", () => {
    const regex = compile("(?P<key>\\w+)=(\\w+)?");
    expect(regex.groupNames).toEqual(["key", ""]);
    expect(regex.groupCount).toBe(2);
    expect(regex.find("a= b")?.groups).toEqual(["a", undefined]);
  });
  test("limits", () => {
    expect(compile("a").findAll("aaa", 2)).toEqual(["a", "a"]);
    expect(compile("a").findAll("aaa", 0)).toEqual([]);
    expect(compile("a").findAll("aaa", -3)).toEqual(["a", "a", "a"]);
  });
  test("replace", () => {
    const swap = compile("(\\w)(\\d)");
    expect(swap.replace("a1 b2 c3", ({ groups: [a, b] }) => `${b}${a}`, 2)).toBe("1a 2b c3");
    expect(compile("").replace("a😀", () => "-")).toBe("-a-😀-");
    const error = celError("invalid_argument", "no");
    expect(swap.replace("a1", () => error)).toBe(error);
    expect(swap.replace("none", () => error)).toBe("none");
  });
});

describe("limits", () => {
  test("a pattern may be only so long", () => {
    expect(rejection("a".repeat(65_536))).toBeUndefined();
    expect(rejection("a".repeat(65_537))).toBe(
      "error parsing regexp: expression too large: 65537 characters, more than 65536",
    );
  });
  test("a program may be only so large", () => {
    const large = "(?:abcdefghij){1000}";
    expect(compileRegex(large, { ...DEFAULT_LIMITS, programSize: 9_999 })).toEqual(
      celError("invalid_argument", `error parsing regexp: expression too large: \`${large}\``),
    );
    expect(compileRegex(large, { ...DEFAULT_LIMITS, programSize: 10_000 })).not.toBeInstanceOf(CelError);
    expect(rejection("\\pL".repeat(2_000))).toMatch(/expression too large/);
  });
  test("nesting is bounded, and never exhausts the call stack", () => {
    expect(rejection("(".repeat(60_000))).toMatch(/missing closing \)/);
    expect(rejection("(".repeat(30_000) + ")".repeat(30_000))).toMatch(/expression nests too deeply/);
    expect(compile(`${"(".repeat(999)}a${")".repeat(999)}`).test("a")).toBe(true);
  });
});

test("a pattern is compiled once", () => {
  expect(compileRegex("once+")).toBe(compileRegex("once+"));
  expect(compileRegex("once(")).toBe(compileRegex("once("));
});
