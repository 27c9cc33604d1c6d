// Measurements of large data during an evaluation: the size of a long text, the keys of a large object. JavaScript has to walk over either
// to count it, so an expression that asks again and again would walk again and again, at a unit of cost a time. Forgotten when the
// evaluation ends: data may be another then.

import { work } from "./work.ts";

/** Shorter texts, and objects with fewer keys, are measured each time. */
const LONG_TEXT = 4096;
const LARGE_OBJECT = 64;
/** Texts kept in mind at a time; an expression rarely looks at more. */
const TEXTS = 4;
/** Code points between two offsets that are noted. */
const STRIDE = 256;
/** Characters that are walked over in the time of a step of work. */
const CHARACTERS_PER_STEP = 32;
/** A key takes longer to list than a step of work: keys of large objects have to be sorted by age. */
const STEPS_PER_KEY = 16;
/** Keys that are looked up between two counts of work. */
export const LOOKUPS = 1024;

interface MeasuredText {
  readonly text: string;
  readonly count: number;
  /** UTF-16 offsets of the code points 0, 256, 512, …; undefined where code points are units. */
  readonly offsets: Int32Array | undefined;
}

const texts: MeasuredText[] = [];
const keys = new Map<object, readonly string[]>();
let oldest = 0;
let any = false;
/** Evaluations under way, one inside the other. Without one nothing is kept: data may change between two questions. */
let evaluations = 0;

export function beginMeasuring(): void {
  evaluations++;
}

export function endMeasuring(): void {
  if (--evaluations === 0 && any) forget();
}

function forget(): void {
  texts.length = 0;
  keys.clear();
  oldest = 0;
  any = false;
}

// Engines keep text without wide characters in one byte per unit, and see at once that this cannot match there.
const SURROGATE = /[\ud800-\udfff]/;

/** Whether code points and UTF-16 units of a text may differ. */
export function hasSurrogates(s: string): boolean {
  return s.length < LONG_TEXT ? SURROGATE.test(s) : measure(s).offsets !== undefined;
}

/** The number of characters of a text, as CEL counts them: code points. */
export function codePointCount(s: string): number {
  if (s.length >= LONG_TEXT) return measure(s).count;
  return SURROGATE.test(s) ? s.length - pairsIn(s) : s.length;
}

/** The UTF-16 offset of the code point `index` (non-negative); the end counts as one more; undefined beyond it. */
export function unitOffset(s: string, index: number): number | undefined {
  let offset = 0;
  let passed = 0;
  if (s.length >= LONG_TEXT) {
    const { count, offsets } = measure(s);
    if (index > count) return undefined;
    if (offsets === undefined) return index;
    passed = index - (index % STRIDE);
    offset = offsets[passed / STRIDE] as number;
  } else if (!SURROGATE.test(s)) return index <= s.length ? index : undefined;
  for (; passed < index; passed++) {
    if (offset >= s.length) return undefined;
    offset += widthAt(s, offset);
  }
  return offset;
}

/** The number of code points before a UTF-16 offset. */
export function pointsBefore(s: string, offset: number): number {
  if (!hasSurrogates(s)) return offset;
  if (s.length < LONG_TEXT) return codePointCount(s.slice(0, offset));
  const offsets = measure(s).offsets as Int32Array;
  let [low, high] = [0, offsets.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low * STRIDE + codePointCount(s.slice(offsets[low], offset));
}

/** 2 where a surrogate pair begins, otherwise 1. */
export function widthAt(s: string, offset: number): 1 | 2 {
  return (s.codePointAt(offset) as number) > 0xffff ? 2 : 1;
}

function measure(s: string): MeasuredText {
  for (let i = 0; i < texts.length; i++) {
    const known = texts[i] as MeasuredText;
    if (known.text === s) return known;
  }
  work(s.length / CHARACTERS_PER_STEP);
  const wide = SURROGATE.test(s);
  const count = wide ? s.length - pairsIn(s) : s.length;
  const measured = { text: s, count, offsets: wide ? offsetsOf(s, count) : undefined };
  if (evaluations === 0) return measured;
  texts[oldest] = measured;
  oldest = (oldest + 1) % TEXTS;
  any = true;
  return measured;
}

function pairsIn(s: string): number {
  let pairs = 0;
  for (let i = 1; i < s.length; i++) {
    const low = s.charCodeAt(i);
    if (low < 0xdc00 || low > 0xdfff) continue;
    const high = s.charCodeAt(i - 1);
    // A low surrogate is never itself a high one, so pairs cannot overlap.
    if (high >= 0xd800 && high <= 0xdbff) pairs++;
  }
  return pairs;
}

function offsetsOf(s: string, count: number): Int32Array {
  const offsets = new Int32Array(Math.floor(count / STRIDE) + 1);
  let offset = 0;
  for (let point = 0; point < count; point++) {
    if (point % STRIDE === 0) offsets[point / STRIDE] = offset;
    offset += widthAt(s, offset);
  }
  if (count % STRIDE === 0) offsets[count / STRIDE] = offset;
  return offsets;
}

/** The keys of a plain object; for a small one also those whose values are undefined. */
export function ownKeysOf(object: Readonly<Record<string, unknown>>): readonly string[] {
  const known = any ? keys.get(object) : undefined;
  if (known !== undefined) return known;
  const all = Object.keys(object);
  return all.length < LARGE_OBJECT ? all : presentOf(object, all);
}

/** The keys of a plain object whose values are not undefined: undefined counts as absent, as in JSON. */
export function keysOf(object: Readonly<Record<string, unknown>>): readonly string[] {
  const known = any ? keys.get(object) : undefined;
  if (known !== undefined) return known;
  const all = Object.keys(object);
  return all.length < LARGE_OBJECT && isFull(object) ? all : presentOf(object, all);
}

/** Whether every key has a value. Engines read an object's properties at once where its keys are enumerated. */
function isFull(object: Readonly<Record<string, unknown>>): boolean {
  for (const key in object) if (object[key] === undefined) return false;
  return true;
}

/** Listing keys is one call of the engine that nothing can interrupt, so the clock is checked as soon as it returns. */
function presentOf(object: Readonly<Record<string, unknown>>, all: readonly string[]): readonly string[] {
  const isLarge = all.length >= LARGE_OBJECT;
  if (isLarge) work(all.length * STEPS_PER_KEY);
  let present = all;
  for (let i = 0; i < all.length; i++) {
    if (i % LOOKUPS === LOOKUPS - 1) work(LOOKUPS);
    if (object[all[i] as string] !== undefined) continue;
    present = all.filter((key) => object[key] !== undefined);
    break;
  }
  if (!isLarge || evaluations === 0) return present;
  keys.set(object, present);
  any = true;
  return present;
}
