// Bytes as Go's encoding/json reads and writes them: standard base64 with padding, line ends skipped, or a list of numbers.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SHAPE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The text as it is written again: without line ends, and with no bits beyond the last byte. */
export function readBase64(text: string): { readonly text: string } | { readonly error: string } {
  if (!SHAPE.test(text)) {
    const joined = text.replace(/[\r\n]/g, "");
    if (!SHAPE.test(joined)) return { error: `illegal base64 data at input byte ${firstIllegal(text)}` };
    return { text: withoutSpareBits(joined) };
  }
  return { text: withoutSpareBits(text) };
}

/** Bytes in base64. */
export function writeBase64(bytes: readonly number[]): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const held = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (let digit = 0; digit < 4; digit++) {
      text += i + digit > bytes.length ? "=" : ALPHABET[(held >> (18 - 6 * digit)) & 63];
    }
  }
  return text;
}

function withoutSpareBits(text: string): string {
  if (!text.endsWith("=")) return text;
  const padding = text.endsWith("==") ? 2 : 1;
  const at = text.length - padding - 1;
  const digit = ALPHABET.indexOf(text[at]!);
  const kept = ALPHABET[digit & (padding === 2 ? 0x30 : 0x3c)]!;
  return kept === text[at] ? text : text.slice(0, at) + kept + "=".repeat(padding);
}

/** Where Go's decoder gives up: at the character that does not fit, or at the start of digits that are too few. */
function firstIllegal(text: string): number {
  const skipLineEnds = (from: number): number => {
    let at = from;
    while (text[at] === "\n" || text[at] === "\r") at++;
    return at;
  };
  let digits = 0;
  for (let at = 0; ; at++) {
    at = skipLineEnds(at);
    const char = text[at];
    if (char === undefined) return text.length - (digits % 4);
    if (ALPHABET.includes(char)) {
      digits++;
      continue;
    }
    const inGroup = digits % 4;
    if (char !== "=" || inGroup < 2) return at;
    let next = skipLineEnds(at + 1);
    if (inGroup === 2) {
      if (next === text.length) return next;
      if (text[next] !== "=") return next - 1;
      next = skipLineEnds(next + 1);
    }
    return next;
  }
}
