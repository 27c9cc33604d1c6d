// The shapes the regular expression engine is used through. Positions are UTF-16 offsets; matching is by code point, so no
// position ever falls inside a surrogate pair.

import type { CelError } from "../value/error.ts";

/** One match: its place, its text, and the texts of its capturing groups. */
export interface RegexMatch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Texts of the capturing groups 1…n in order (index 0 is group 1); `undefined` for a group that took no part. */
  readonly groups: readonly (string | undefined)[];
}

/** A compiled RE2 pattern. Matching takes time linear in the input. It holds caches but no position: share it freely. */
export interface Regex {
  readonly source: string;
  /** The number of capturing groups. */
  readonly groupCount: number;
  /** Names of the groups 1…n in order; an unnamed group has the name "". */
  readonly groupNames: readonly string[];
  /** Whether the pattern matches anywhere in `s`. May be called detached from its object. */
  readonly test: (s: string) => boolean;
  /** The leftmost match starting at or after `from`; text before `from` still counts as context for `^` and `\b`. */
  find(s: string, from?: number): RegexMatch | undefined;
  /** Texts of successive non-overlapping matches, at most `limit` (negative: all). */
  findAll(s: string, limit?: number): string[];
  /** Successive non-overlapping matches, at most `limit` (negative: all). An empty match next to the previous one is skipped. */
  matches(s: string, limit?: number): RegexMatch[];
  /** `s` with the first `limit` matches (negative: all) exchanged for what `expand` makes of them; its first error ends it. */
  replace(s: string, expand: (match: RegexMatch) => string | CelError, limit?: number): string | CelError;
}

/** Sizes beyond which a pattern is not compiled. */
export interface RegexLimits {
  /** Longest pattern accepted, in UTF-16 code units. */
  readonly patternSize: number;
  /** Most instructions a pattern may compile to, counted repetitions unrolled. */
  readonly programSize: number;
  /** Most memory one pattern's automaton may use, in table cells of four bytes. */
  readonly automatonSize: number;
}

/** Generous for policies: the reference's own bounds are far larger, and guard a server with more memory than a browser tab. */
export const DEFAULT_LIMITS: RegexLimits = {
  patternSize: 65_536,
  programSize: 65_536,
  automatonSize: 262_144,
};
