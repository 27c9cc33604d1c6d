// The shortest text in all of several languages and within a range of lengths, or a proof that none exists: a breadth-first walk through
// all automata at once, with one character for each class that they distinguish.

import type { Language } from "./language.ts";
import { TooManyStates } from "./pattern.ts";

/** The number of states that a search visits before it gives up. */
const MOST_STATES = 30_000;

export interface LengthRange {
  readonly least: number;
  readonly most: number;
}

export type Found = { readonly text: string } | "none" | "unknown";

/** Texts in all of the languages, in code points; `avoid` are texts that are known not to do. */
export function shortestIn(
  languages: readonly Language[],
  { least, most }: LengthRange,
  avoid: ReadonlySet<string> = NOTHING,
): Found {
  if (least > most) return "none";
  try {
    return search(languages, least, most, avoid);
  } catch (error) {
    if (error instanceof TooManyStates) return "unknown";
    throw error;
  }
}

const NOTHING: ReadonlySet<string> = new Set();

interface Visit {
  readonly states: readonly number[];
  readonly from: Visit | undefined;
  readonly code: number;
  readonly length: number;
}

function search(languages: readonly Language[], least: number, most: number, avoid: ReadonlySet<string>): Found {
  const alphabet = representatives(languages);
  const start: Visit = { states: languages.map((l) => l.start), from: undefined, code: 0, length: 0 };
  let level = [start];
  let visited = 0;
  // Below the least length the same states at another length are another place; above it only the states count.
  const seen = new Map<string, number>();
  // A text to avoid takes one way to a state; so many others are kept.
  const ways = avoid.size + 1;
  while (level.length > 0) {
    const next: Visit[] = [];
    for (const visit of level) {
      if (visit.length >= least && languages.every((l, i) => l.accepts(visit.states[i] as number))) {
        const text = textOf(visit);
        if (!avoid.has(text)) return { text };
      }
      if (visit.length >= most) continue;
      for (const code of alphabet) {
        const states = languages.map((l, i) => l.step(visit.states[i] as number, code));
        const length = visit.length + 1;
        const key = `${Math.min(length, least)}:${states}`;
        const count = seen.get(key) ?? 0;
        if (count >= ways) continue;
        seen.set(key, count + 1);
        if (++visited > MOST_STATES) return "unknown";
        next.push({ states, from: visit, code, length });
      }
    }
    level = next;
  }
  return "none";
}

function textOf(visit: Visit): string {
  const codes: number[] = [];
  for (let v: Visit | undefined = visit; v?.from !== undefined; v = v.from) codes.push(v.code);
  return String.fromCodePoint(...codes.reverse());
}

const MAX_CODE = 0x10ffff;

/** One character per class: a letter or digit where the class has one. Surrogates are no characters. */
function representatives(languages: readonly Language[]): number[] {
  const starts = [...new Set([0, 0xd800, 0xe000, ...languages.flatMap((l) => l.boundaries)])]
    .filter((code) => code >= 0 && code <= MAX_CODE)
    .sort((a, b) => a - b);
  const chosen = starts.flatMap((start, i) => {
    const end = (starts[i + 1] ?? MAX_CODE + 1) - 1;
    return start >= 0xd800 && end <= 0xdfff ? [] : [nicest(start, end)];
  });
  return chosen.sort((a, b) => rank(a) - rank(b));
}

const NICE: readonly (readonly [number, number])[] = [
  [97, 122],
  [48, 57],
  [65, 90],
  [45, 47],
  [33, 126],
];

function nicest(start: number, end: number): number {
  for (const [first, last] of NICE) if (start <= last && end >= first) return Math.max(start, first);
  return start;
}

function rank(code: number): number {
  const place = NICE.findIndex(([first, last]) => code >= first && code <= last);
  return (place === -1 ? NICE.length : place) * (MAX_CODE + 1) + code;
}
