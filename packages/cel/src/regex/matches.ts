// Successive matches as Go's FindAll delivers them: non-overlapping, left to right; an empty match is kept unless it touches
// the match before it, and the search then moves on by one code point.

import { CelError } from "../value/error.ts";
import { growBy } from "../value/size/work.ts";
import type { RegexMatch } from "./regex.ts";
import type { Scanner } from "./scan.ts";

export function findMatch(scanner: Scanner, s: string, from: number): RegexMatch | undefined {
  const at = scanner.scan(s).find(from);
  return at === undefined ? undefined : toMatch(s, at);
}

/** A match and its text. */
const ELEMENTS_PER_MATCH = 2;

export function findMatches(scanner: Scanner, s: string, limit: number): RegexMatch[] {
  const found: RegexMatch[] = [];
  const scan = scanner.scan(s);
  let from = 0;
  let previousEnd = -1;
  while (from <= s.length && (limit < 0 || found.length < limit)) {
    const at = scan.find(from);
    if (at === undefined) break;
    growBy(ELEMENTS_PER_MATCH);
    const start = at[0] as number;
    const end = at[1] as number;
    if (end > from) {
      from = end;
      found.push(toMatch(s, at));
    } else {
      if (start !== previousEnd) found.push(toMatch(s, at));
      from += (s.codePointAt(from) ?? 0) > 0xffff ? 2 : 1;
    }
    previousEnd = end;
  }
  return found;
}

export function replaceMatches(
  s: string,
  matches: readonly RegexMatch[],
  expand: (match: RegexMatch) => string | CelError,
): string | CelError {
  // Joined at the end: a text that grows by `+=` keeps all its parts.
  const parts: string[] = [];
  let end = 0;
  for (const match of matches) {
    const text = expand(match);
    if (text instanceof CelError) return text;
    parts.push(s.slice(end, match.start), text);
    end = match.end;
  }
  parts.push(s.slice(end));
  return parts.join("");
}

function toMatch(s: string, at: readonly number[]): RegexMatch {
  const start = at[0] as number;
  const end = at[1] as number;
  const groups: (string | undefined)[] = [];
  for (let i = 2; i + 1 < at.length; i += 2) {
    const from = at[i] as number;
    groups.push(from < 0 ? undefined : s.slice(from, at[i + 1]));
  }
  return { start, end, text: s.slice(start, end), groups };
}
