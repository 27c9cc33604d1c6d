// Sets of code points, as sorted, disjoint, non-abutting ranges in one flat array: lo, hi, lo, hi, …
// A set is never changed once it is clean, so nodes may share it.

export type Ranges = readonly number[];

export const MAX_CODE = 0x10ffff;

export const ANY: Ranges = [0, MAX_CODE];
export const ANY_BUT_NEWLINE: Ranges = [0, 9, 11, MAX_CODE];
export const WORD: Ranges = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];

/** Sorts and merges ranges collected in any order. */
export function clean(ranges: Ranges): Ranges {
  if (isClean(ranges)) return ranges;
  const pairs: [number, number][] = [];
  for (let i = 0; i < ranges.length; i += 2) pairs.push([ranges[i] as number, ranges[i + 1] as number]);
  pairs.sort((a, b) => a[0] - b[0]);
  const out: number[] = [];
  for (const [lo, hi] of pairs) {
    const last = out.length - 1;
    if (last >= 0 && lo <= (out[last] as number) + 1) out[last] = Math.max(out[last] as number, hi);
    else out.push(lo, hi);
  }
  return out;
}

function isClean(ranges: Ranges): boolean {
  for (let i = 2; i < ranges.length; i += 2) {
    if ((ranges[i] as number) <= (ranges[i - 1] as number) + 1) return false;
  }
  return true;
}

/** Every code point that is not in the clean set. */
export function negate(ranges: Ranges): Ranges {
  const out: number[] = [];
  let next = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    const lo = ranges[i] as number;
    if (next < lo) out.push(next, lo - 1);
    next = (ranges[i + 1] as number) + 1;
  }
  if (next <= MAX_CODE) out.push(next, MAX_CODE);
  return out;
}

/** Whether the clean set holds `code`. */
export function contains(ranges: Ranges, code: number): boolean {
  let low = 0;
  let high = ranges.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (code < (ranges[2 * middle] as number)) high = middle;
    else if (code > (ranges[2 * middle + 1] as number)) low = middle + 1;
    else return true;
  }
  return false;
}
