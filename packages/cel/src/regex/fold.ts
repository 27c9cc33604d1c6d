// Simple case folding, from the JavaScript engine: two characters are one letter when its /iu says so.

import { clean, contains, type Ranges } from "./ranges.ts";

/** Letters outside ASCII that fold to an ASCII letter: long s and the Kelvin sign. */
const LONG_S = 0x17f;
const KELVIN = 0x212a;

/** The set with every character added that differs from a member only by case. */
export function fold(ranges: Ranges): Ranges {
  const last = ranges[ranges.length - 1];
  if (last === undefined) return ranges;
  return clean(last < 0x80 ? foldAscii(ranges) : foldAll(ranges));
}

function foldAscii(ranges: Ranges): number[] {
  const out = [...ranges];
  for (let upper = 0x41; upper <= 0x5a; upper++) {
    const lower = upper + 0x20;
    if (!contains(ranges, upper) && !contains(ranges, lower)) continue;
    out.push(upper, upper, lower, lower);
    if (upper === 0x4b) out.push(KELVIN, KELVIN);
    if (upper === 0x53) out.push(LONG_S, LONG_S);
  }
  return out;
}

function foldAll(ranges: Ranges): number[] {
  const out = [...ranges];
  const [lo, hi] = ranges;
  const { letters, groups } = orbits();
  const affected = ranges.length === 2 && lo !== undefined && lo === hi ? [letters.get(lo) ?? []] : groups;
  for (const orbit of affected) {
    if (!orbit.some((code) => contains(ranges, code))) continue;
    for (const code of orbit) out.push(code, code);
  }
  return out;
}

interface Orbits {
  /** For a character that has cases: all characters that are the same letter. */
  readonly letters: ReadonlyMap<number, readonly number[]>;
  readonly groups: readonly (readonly number[])[];
}

let known: Orbits | undefined;

/** Worked out on first use, in some milliseconds. */
function orbits(): Orbits {
  if (known !== undefined) return known;
  const letters = new Map<number, number[]>();
  const sameLetter = /^(.)\1$/isu;
  const cased = /[\p{CWL}\p{CWU}\p{CWT}\p{CWCF}]/u;
  for (let code = 0x41; code <= 0x1ffff; code++) {
    const character = String.fromCodePoint(code);
    if (!cased.test(character)) continue;
    const upper = character.toUpperCase();
    for (const other of [character.toLowerCase(), upper, upper.toLowerCase()]) {
      if (other !== character && [...other].length === 1 && sameLetter.test(character + other)) {
        join(letters, code, other.codePointAt(0) as number);
      }
    }
  }
  known = { letters, groups: [...new Set(letters.values())] };
  return known;
}

function join(letters: Map<number, number[]>, a: number, b: number): void {
  const left = letters.get(a) ?? [a];
  const right = letters.get(b) ?? [b];
  if (left === right) return;
  const both = [...left, ...right];
  for (const code of both) letters.set(code, both);
}
