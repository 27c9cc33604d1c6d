// Keys are ordered by their UTF-8 bytes, which is the order of code points. JavaScript compares UTF-16 units, which differs once
// a surrogate meets a unit above it (U+E000 to U+FFFF).

const beyondPlain = /[\ud800-\uffff]/;

/** True when JavaScript's own comparison orders this text as its UTF-8 bytes. */
export function isPlain(text: string): boolean {
  return !beyondPlain.test(text);
}

export function comparePlain(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The order of keys: by their bytes. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above U+FFFF, so they go behind every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
