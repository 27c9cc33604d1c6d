// Positions in strings by code point, which is what CEL counts, against the UTF-16 units JavaScript counts. Where a string
// has no surrogates the two are the same, and nothing is walked.

const SURROGATE = /[\ud800-\udfff]/;

/** Whether code points and UTF-16 units of `s` may differ. */
export function hasSurrogates(s: string): boolean {
  return SURROGATE.test(s);
}

/** The UTF-16 offset of the code point `index` (non-negative); the end counts as one more; undefined beyond it. */
export function unitOffset(s: string, index: number): number | undefined {
  if (!hasSurrogates(s)) return index <= s.length ? index : undefined;
  let offset = 0;
  for (let i = 0; i < index; i++) {
    if (offset >= s.length) return undefined;
    offset += widthAt(s, offset);
  }
  return offset;
}

/** 2 where a surrogate pair begins, otherwise 1. */
export function widthAt(s: string, offset: number): 1 | 2 {
  return (s.codePointAt(offset) as number) > 0xffff ? 2 : 1;
}
