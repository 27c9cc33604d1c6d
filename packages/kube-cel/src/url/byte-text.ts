// Go's strings are bytes, and its URL parser cuts and unescapes them as such. Here a byte string is a JavaScript string of
// units below 256, one per UTF-8 byte; text without wide characters is its own byte string.

import { encodeUtf8, quoteGo } from "@celadon/base";

const WIDE = /[\x80-\uffff]/;

export function toBytes(text: string): string {
  return WIDE.test(text) ? Array.from(encodeUtf8(text), (byte) => String.fromCharCode(byte)).join("") : text;
}

/** The text of a byte string; a byte that is not part of UTF-8 becomes U+FFFD. */
export function fromBytes(bytes: string): string {
  return WIDE.test(bytes) ? decode(bytes, () => "\ufffd") : bytes;
}

/** strconv.Quote: a byte that is not part of UTF-8 shows as `\xNN`. */
export function quoteBytes(bytes: string): string {
  if (!WIDE.test(bytes)) return quoteGo(bytes);
  const parts: string[] = [];
  let text = "";
  decode(
    bytes,
    (byte) => {
      parts.push(quoteGo(text).slice(1, -1), `\\x${byte.toString(16)}`);
      text = "";
      return "";
    },
    (char) => {
      text += char;
    },
  );
  parts.push(quoteGo(text).slice(1, -1));
  return `"${parts.join("")}"`;
}

/** Sequences of two to four bytes: the lead's range, the bits it carries, and the least code point that needs that many. */
const SEQUENCES = [
  { length: 2, low: 0xc2, high: 0xdf, bits: 0x1f, least: 0x80 },
  { length: 3, low: 0xe0, high: 0xef, bits: 0x0f, least: 0x800 },
  { length: 4, low: 0xf0, high: 0xf4, bits: 0x07, least: 0x10000 },
];

function decode(bytes: string, invalid: (byte: number) => string, each: (char: string) => void = () => {}): string {
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const byte = bytes.charCodeAt(i);
    const code = byte < 0x80 ? byte : codePointAt(bytes, i);
    if (code === undefined) {
      text += invalid(byte);
      i++;
      continue;
    }
    const char = String.fromCodePoint(code);
    each(char);
    text += char;
    i += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return text;
}

function codePointAt(bytes: string, start: number): number | undefined {
  const lead = bytes.charCodeAt(start);
  const sequence = SEQUENCES.find(({ low, high }) => lead >= low && lead <= high);
  if (sequence === undefined) return undefined;
  let code = lead & sequence.bits;
  for (let i = 1; i < sequence.length; i++) {
    const byte = bytes.charCodeAt(start + i);
    if ((byte & 0xc0) !== 0x80) return undefined; // also at the end, where it is NaN
    code = (code << 6) | (byte & 0x3f);
  }
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code < sequence.least || code > 0x10ffff || isSurrogate ? undefined : code;
}
