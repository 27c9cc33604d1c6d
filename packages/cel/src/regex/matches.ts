// Successive matches as Go's FindAll delivers them: non-overlapping, left to right; an empty match is kept unless it touches
// the match before it, and the search then moves on by one code point.

import { CelError } from "../value/error.ts";
import type { Submatcher } from "./re2.ts";
import type { RegexMatch } from "./regex.ts";

export function findMatch(matcher: Submatcher, s: string, from: number): RegexMatch | undefined {
  const at = matcher.find(s, from);
  return at === undefined ? undefined : toMatch(s, at);
}

export function findMatches(matcher: Submatcher, s: string, limit: number): RegexMatch[] {
  const found: RegexMatch[] = [];
  let from = 0;
  let previousEnd = -1;
  while (from <= s.length && (limit < 0 || found.length < limit)) {
    const at = matcher.find(s, from);
    if (at === undefined) break;
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
  matcher: Submatcher,
  s: string,
  expand: (match: RegexMatch) => string | CelError,
  limit: number,
): string | CelError {
  let out = "";
  let end = 0;
  for (const match of findMatches(matcher, s, limit)) {
    const text = expand(match);
    if (text instanceof CelError) return text;
    out += s.slice(end, match.start) + text;
    end = match.end;
  }
  return out + s.slice(end);
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
