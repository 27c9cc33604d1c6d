// Text as Go's standard library handles it, where JavaScript's differs.

export { trimSpace } from "@celadon/kube";

/** The first bytes of a text. A character cut in two shows as one U+FFFD per byte left, as Go writes it to JSON. */
export function cutBytes(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  let bytes = 0;
  let at = 0;
  for (const char of text) {
    const size = sizeOf(char.codePointAt(0)!);
    if (bytes + size > limit) return text.slice(0, at) + "\ufffd".repeat(limit - bytes);
    bytes += size;
    at += char.length;
  }
  return text;
}

function sizeOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x1_0000 ? 3 : 4;
}
