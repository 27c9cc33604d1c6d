// Length in bytes of a text's UTF-8 form, which is what Go's len() counts and what Kubernetes' length limits mean.

export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    // Two units of a surrogate pair are four bytes together; a lone surrogate is written as U+FFFD, three bytes.
    else bytes += isPair(text, i) ? 1 : 2;
    if (unit >= 0xd800 && unit < 0xdc00 && isPair(text, i)) {
      bytes += 1;
      i++;
    }
  }
  return bytes;
}

function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  if (high < 0xd800 || high >= 0xdc00) return false;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low < 0xe000;
}

/** Compares as Go compares strings: by bytes, which is by code point. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates stand for code points above every other unit.
    if (x >= 0xd800) x = x < 0xe000 ? x + 0x2000 : x - 0x800;
    if (y >= 0xd800) y = y < 0xe000 ? y + 0x2000 : y - 0x800;
    return x < y ? -1 : 1;
  }
  return a.length === b.length ? 0 : a.length < b.length ? -1 : 1;
}
