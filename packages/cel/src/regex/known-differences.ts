// The known differences between this engine and Go's regexp package, with reasons. Everything else found by comparing the two is a bug.

export interface KnownDifference {
  readonly pattern: string;
  readonly input: string;
  /** "match", "no match", or the beginning of the error text. */
  readonly go: string;
  readonly ours: string;
  readonly reason: string;
  /** Holds only in JavaScript engines with at least this version of Unicode. */
  readonly unicode?: number;
}

const SIZE =
  "a pattern is bounded by RegexLimits; Go allows 3.3 million instructions, too many for one thread that serves everybody";
const UNICODE = "categories, scripts and case come from the JavaScript engine; Go 1.26 has Unicode 15.0";

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    pattern: "(?:abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz){1000}",
    input: "a",
    go: "no match",
    ours: "error parsing regexp: expression too large",
    reason: SIZE,
  },
  {
    pattern: "a".repeat(65_537),
    input: "a",
    go: "no match",
    ours: "error parsing regexp: expression too large",
    reason: SIZE,
  },
  { pattern: "(?i)\u0264", input: "\ua7cb", go: "no match", ours: "match", reason: UNICODE, unicode: 16 },
  { pattern: "\\p{Lu}", input: "\ua7cb", go: "no match", ours: "match", reason: UNICODE, unicode: 16 },
  {
    pattern: "^\\x{fffd}$",
    input: "\ud800",
    go: "match",
    ours: "no match",
    reason:
      "half a surrogate pair, which only JavaScript strings can hold, is a character of its own; Go reads U+FFFD in its place",
  },
];
