// Texts that a regular expression matches: the shortest, one that repeats, and the last branch of every choice. RE2 patterns
// have no look-around, so walking the tree gives a match, but for word boundaries and anchors in odd places: callers check.

import { CelError } from "@celadon/cel";
import { compileRegex, type PatternNode, parsePattern, type Regex } from "@celadon/cel/regex";

interface Taste {
  /** Chooses the branch of a choice, or the number of repetitions. */
  branch(count: number): number;
  times(min: number, max: number): number;
}

const TASTES: readonly Taste[] = [
  { branch: () => 0, times: (min) => min },
  { branch: () => 0, times: (min, max) => Math.min(max, Math.max(min, 1)) },
  { branch: (count) => count - 1, times: (min, max) => Math.min(max, min + 2) },
];

/** A compiled pattern; undefined where it is not one. */
export function regexOf(pattern: string): Regex | undefined {
  const compiled = compileRegex(pattern);
  return compiled instanceof CelError ? undefined : compiled;
}

/** Texts the pattern matches, without repetition; none for a pattern that cannot be read. */
export function patternSamples(pattern: string): string[] {
  const parsed = parsePattern(pattern);
  const regex = regexOf(pattern);
  if (parsed instanceof CelError || regex === undefined) return [];
  const texts = new Set(TASTES.map((taste) => sample(parsed.tree, taste)));
  return [...texts].filter((text) => regex.test(text));
}

function sample(node: PatternNode, taste: Taste): string {
  switch (node.kind) {
    case "empty":
    case "assert":
      return "";
    case "literal":
      return node.codes.map((code) => String.fromCodePoint(code)).join("");
    case "set":
      return character(node.ranges);
    case "concat":
      return node.items.map((item) => sample(item, taste)).join("");
    case "alternate":
      return sample(node.branches[taste.branch(node.branches.length)]!, taste);
    case "repeat":
      return sample(node.item, taste).repeat(Math.min(taste.times(node.min, node.max), 1000));
    case "capture":
      return sample(node.item, taste);
  }
}

/** A readable character of a set: a small letter, a digit, a capital, or any other. */
function character(ranges: readonly number[]): string {
  for (const wanted of [97, 98, 120, 48, 49, 65, 45, 46, 32]) {
    for (let i = 0; i + 1 < ranges.length; i += 2) {
      if (ranges[i]! <= wanted && wanted <= ranges[i + 1]!) return String.fromCodePoint(wanted);
    }
  }
  return ranges.length === 0 ? "" : String.fromCodePoint(ranges[0]!);
}
