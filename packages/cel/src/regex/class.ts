// Bracket expressions: [a-z], [^a], [[:alpha:]\d\pL-], with Go's reading of the odd cases: `]` first is a member, `-` is a
// member wherever it cannot be a range, `[` is a member unless it opens `[:name:]`.

import { CelError } from "../value/error.ts";
import { syntaxError } from "./errors.ts";
import { readEscape, type Span } from "./escape.ts";
import { fold } from "./fold.ts";
import { posixGroup, readGroup } from "./groups.ts";
import { clean, negate, type Ranges } from "./ranges.ts";

/** Reads the class whose `[` is at `open`. */
export function parseClass(pattern: string, open: number, ignoreCase: boolean): Span<Ranges> | CelError {
  const negative = pattern[open + 1] === "^";
  const groups: number[] = [];
  const ranges: number[] = [];
  let at = negative ? open + 2 : open + 1;
  for (let first = true; pattern[at] !== "]" || first; first = false) {
    const group = readNamed(pattern, at, ignoreCase);
    if (group instanceof CelError) return group;
    if (group !== undefined) {
      for (const bound of group.value) groups.push(bound);
      at = group.end;
      continue;
    }
    const range = readRange(pattern, at, open);
    if (range instanceof CelError) return range;
    ranges.push(...range.value);
    at = range.end;
  }
  const members = clean(ranges);
  const all = clean([...groups, ...(ignoreCase ? fold(members) : members)]);
  return { value: negative ? negate(all) : all, end: at + 1 };
}

/** `[:name:]`, `\d` or `\p{…}` inside a class. */
function readNamed(pattern: string, at: number, ignoreCase: boolean): Span<Ranges> | CelError | undefined {
  if (pattern[at] === "\\") return readGroup(pattern, at, ignoreCase);
  if (!pattern.startsWith("[:", at)) return undefined;
  const close = pattern.indexOf(":]", at + 2);
  if (close < 0) return undefined;
  const value = posixGroup(pattern.slice(at + 2, close), ignoreCase);
  const end = close + 2;
  return value === undefined ? syntaxError("invalid character class range", pattern.slice(at, end)) : { value, end };
}

/** `a` or `a-z`. */
function readRange(pattern: string, at: number, open: number): Span<[number, number]> | CelError {
  const lo = readMember(pattern, at, open);
  if (lo instanceof CelError) return lo;
  const next = pattern[lo.end + 1];
  if (pattern[lo.end] !== "-" || next === "]" || next === undefined)
    return { value: [lo.value, lo.value], end: lo.end };
  const hi = readMember(pattern, lo.end + 1, open);
  if (hi instanceof CelError) return hi;
  if (hi.value < lo.value) return syntaxError("invalid character class range", pattern.slice(at, hi.end));
  return { value: [lo.value, hi.value], end: hi.end };
}

function readMember(pattern: string, at: number, open: number): Span<number> | CelError {
  const code = pattern.codePointAt(at);
  if (code === undefined) return syntaxError("missing closing ]", pattern.slice(open));
  if (code === 0x5c) return readEscape(pattern, at);
  return { value: code, end: at + (code > 0xffff ? 2 : 1) };
}
