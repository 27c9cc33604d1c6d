// Named sets inside patterns: \d \s \w, [:alpha:] and its family, \p{…}.

import type { CelError } from "../value/error.ts";
import { syntaxError } from "./errors.ts";
import type { Span } from "./escape.ts";
import { fold } from "./fold.ts";
import { negate, type Ranges, WORD } from "./ranges.ts";
import { unicodeSet } from "./unicode.ts";

// biome-ignore format: one set per line
const PERL: ReadonlyMap<string, Ranges> = new Map([
  ["d", [0x30, 0x39]],
  ["s", [0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x20]], // no vertical tab
  ["w", WORD],
]);

// biome-ignore format: one set per line
const POSIX: ReadonlyMap<string, Ranges> = new Map([
  ["alnum",  [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a]],
  ["alpha",  [0x41, 0x5a, 0x61, 0x7a]],
  ["ascii",  [0x00, 0x7f]],
  ["blank",  [0x09, 0x09, 0x20, 0x20]],
  ["cntrl",  [0x00, 0x1f, 0x7f, 0x7f]],
  ["digit",  [0x30, 0x39]],
  ["graph",  [0x21, 0x7e]],
  ["lower",  [0x61, 0x7a]],
  ["print",  [0x20, 0x7e]],
  ["punct",  [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e]],
  ["space",  [0x09, 0x0d, 0x20, 0x20]],
  ["upper",  [0x41, 0x5a]],
  ["word",   WORD],
  ["xdigit", [0x30, 0x39, 0x41, 0x46, 0x61, 0x66]],
]);

/** A group escape, `\d` or `\p{…}`, at `at`; undefined if it is another escape. */
export function readGroup(pattern: string, at: number, ignoreCase: boolean): Span<Ranges> | CelError | undefined {
  const letter = pattern[at + 1] ?? "";
  if (letter === "p" || letter === "P") return readUnicodeGroup(pattern, at, letter === "P", ignoreCase);
  const value = perlGroup(letter, ignoreCase);
  return value && { value, end: at + 2 };
}

function readUnicodeGroup(
  pattern: string,
  at: number,
  negative: boolean,
  ignoreCase: boolean,
): Span<Ranges> | CelError {
  let nameAt = at + 2;
  let nameEnd = nameAt;
  let end = nameAt;
  if (pattern[nameAt] === "{") {
    nameAt++;
    nameEnd = pattern.indexOf("}", nameAt);
    if (nameEnd < 0) return syntaxError("invalid character class range", pattern.slice(at));
    end = nameEnd + 1;
  } else {
    nameEnd += (pattern.codePointAt(nameAt) ?? 0) > 0xffff ? 2 : 1;
    end = nameEnd;
  }
  const value = unicodeGroup(pattern.slice(nameAt, nameEnd), negative, ignoreCase);
  return value === undefined ? syntaxError("invalid character class range", pattern.slice(at, end)) : { value, end };
}

/** The set of `\d`, `\D` and so on, from the letter. */
function perlGroup(letter: string, ignoreCase: boolean): Ranges | undefined {
  const ranges = PERL.get(letter.toLowerCase());
  return ranges && signed(ranges, letter < "a", ignoreCase);
}

/** The set of `[:alpha:]` or `[:^alpha:]`, from the text between the colons. */
export function posixGroup(name: string, ignoreCase: boolean): Ranges | undefined {
  const negative = name.startsWith("^");
  const ranges = POSIX.get(negative ? name.slice(1) : name);
  return ranges && signed(ranges, negative, ignoreCase);
}

/** The set of `\p{Greek}` (negative: `\P{Greek}`); the name may begin with `^` to negate once more. */
function unicodeGroup(name: string, negative: boolean, ignoreCase: boolean): Ranges | undefined {
  const inverted = name.startsWith("^");
  const ranges = unicodeSet(inverted ? name.slice(1) : name);
  return ranges && signed(ranges, negative !== inverted, ignoreCase);
}

const results = new WeakMap<Ranges, Ranges[]>();

/** Folds, then negates: `(?i)\P{Lu}` leaves out lower case letters too. Remembered, because Unicode sets are large. */
function signed(ranges: Ranges, negative: boolean, ignoreCase: boolean): Ranges {
  if (!negative && !ignoreCase) return ranges;
  let variants = results.get(ranges);
  if (variants === undefined) {
    variants = [];
    results.set(ranges, variants);
  }
  const index = (negative ? 1 : 0) + (ignoreCase ? 2 : 0);
  let variant = variants[index];
  if (variant === undefined) {
    const folded = ignoreCase ? fold(ranges) : ranges;
    variant = negative ? negate(folded) : folded;
    variants[index] = variant;
  }
  return variant;
}
