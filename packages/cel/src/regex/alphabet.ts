// The few kinds of input a program can tell apart. Code points that lie in exactly the same sets are one class; the automaton
// has a column for each class instead of one for each of 1,114,112 code points.

import { work } from "../value/size/work.ts";
import type { Program } from "./program.ts";
import { contains, MAX_CODE, type Ranges, WORD } from "./ranges.ts";

export interface Alphabet {
  /** Number of classes. The class after the last, `count`, stands for the end of the text. */
  readonly count: number;
  /** The class of any code point. If classes are not fixed, earlier answers may no longer be valid. */
  classOf(code: number): number;
  /** For each set of the program: 1 at the classes inside it. */
  readonly members: readonly Uint8Array[];
  /** 1 at classes of word characters, and at the class of the line feed; distinguished only where an assertion needs it. */
  readonly word: Uint8Array;
  readonly newline: number;
}

/** An alphabet with a fixed set of classes, as an automaton needs. */
export interface FixedAlphabet extends Alphabet {
  /** Class of each code point below 256. */
  readonly narrow: Uint16Array;
}

/** Work above this is not worth an automaton: thousands of different sets of thousands of ranges. */
const MAX_WORK = 4_000_000;
/** Class numbers are kept in 16 bits. */
const MAX_INTERVALS = 0xffff;
const NEWLINE: Ranges = [10, 10];

const seesWordsOf = ({ assertions }: Program): boolean =>
  assertions.has("word-boundary") || assertions.has("no-word-boundary");
const seesLinesOf = ({ assertions }: Program): boolean => assertions.has("line-begin") || assertions.has("line-end");

/** Undefined if the program's character sets are too many and too large to be separated in advance. */
export function createAlphabet(program: Program): FixedAlphabet | undefined {
  const sets = [...program.sets];
  const seesWords = seesWordsOf(program);
  const seesLines = seesLinesOf(program);
  if (seesWords) sets.push(WORD);
  if (seesLines) sets.push(NEWLINE);

  const starts = Int32Array.from(intervalStarts(sets)).sort();
  if (starts.length > MAX_INTERVALS || starts.length * sets.length > MAX_WORK) return undefined;
  const { classes, count } = classify(starts, sets);
  const representative = new Int32Array(count);
  for (let i = 0; i < starts.length; i++) representative[classes[i] as number] = starts[i] as number;
  const membership = (ranges: Ranges): Uint8Array =>
    Uint8Array.from(representative, (code) => (contains(ranges, code) ? 1 : 0));
  const narrow = new Uint16Array(256);
  for (let code = 0; code < 256; code++) narrow[code] = classOf(starts, classes, code);
  return {
    count,
    narrow,
    classOf: (code) => (code < 256 ? (narrow[code] as number) : classOf(starts, classes, code)),
    members: program.sets.map(membership),
    word: seesWords ? membership(WORD) : new Uint8Array(count),
    newline: seesLines ? (narrow[10] as number) : -1,
  };
}

/** Code points kept in mind at a time by an alphabet made on the way. */
const KEPT = 256;

/** For any program: every code point is a separate class, looked for in the sets when a text first has it. */
export function createOpenAlphabet(program: Program): Alphabet {
  const { sets } = program;
  const members = sets.map(() => new Uint8Array(KEPT));
  const word = new Uint8Array(KEPT);
  const seesWords = seesWordsOf(program);
  const known = new Map<number, number>();
  const newline = seesLinesOf(program) ? KEPT - 1 : -1;
  const introduce = (code: number): number => {
    if (known.size === KEPT - 1) known.clear();
    const id = code === 10 && newline >= 0 ? newline : known.size;
    known.set(code, id);
    work(sets.length);
    for (let i = 0; i < sets.length; i++) (members[i] as Uint8Array)[id] = contains(sets[i] as Ranges, code) ? 1 : 0;
    word[id] = seesWords && contains(WORD, code) ? 1 : 0;
    return id;
  };
  return { count: KEPT, classOf: (code) => known.get(code) ?? introduce(code), members, word, newline };
}

function intervalStarts(sets: readonly Ranges[]): Set<number> {
  const starts = new Set([0]);
  for (const ranges of sets) {
    for (let i = 0; i < ranges.length; i += 2) {
      starts.add(ranges[i] as number);
      if ((ranges[i + 1] as number) < MAX_CODE) starts.add((ranges[i + 1] as number) + 1);
    }
  }
  return starts;
}

/** Starts from one class for everything; each set then splits every class that it cuts through. */
function classify(starts: Int32Array, sets: readonly Ranges[]): { classes: Uint16Array; count: number } {
  const classes = new Uint16Array(starts.length);
  const sizes = new Uint32Array(starts.length);
  const inside = new Uint32Array(starts.length);
  const renamed = new Uint32Array(starts.length);
  sizes[0] = starts.length;
  let count = 1;
  for (const ranges of sets) {
    inside.fill(0, 0, count);
    forEachInside(starts, ranges, (i) => {
      const id = classes[i] as number;
      inside[id] = (inside[id] as number) + 1;
    });
    for (let id = 0, end = count; id < end; id++) {
      const members = inside[id] as number;
      renamed[id] = id;
      if (members === 0 || members === sizes[id]) continue;
      renamed[id] = count;
      sizes[count++] = members;
      sizes[id] = (sizes[id] as number) - members;
    }
    forEachInside(starts, ranges, (i) => {
      classes[i] = renamed[classes[i] as number] as number;
    });
  }
  return { classes, count };
}

function forEachInside(starts: Int32Array, ranges: Ranges, visit: (index: number) => void): void {
  let i = 0;
  for (let r = 0; r < ranges.length; r += 2) {
    while ((starts[i] as number) < (ranges[r] as number)) i++;
    for (; i < starts.length && (starts[i] as number) <= (ranges[r + 1] as number); i++) visit(i);
  }
}

/** The class of any code point, by binary search. */
function classOf(starts: Int32Array, classes: Uint16Array, code: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= code) low = middle;
    else high = middle - 1;
  }
  return classes[low] as number;
}
