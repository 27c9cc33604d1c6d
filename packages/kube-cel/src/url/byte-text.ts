// Go's strings are bytes, and its URL parser cuts and unescapes them as such. Here a byte string is a JavaScript string of
// units below 256, one per UTF-8 byte; text without wide characters is its own byte string.

import { decodeUtf8Bytewise, encodeUtf8, utf8Parts } from "@celadon/base";
import { quoteText, walk } from "@celadon/cel/values";

const WIDE = /[\x80-\uffff]/;

/** Bytes that are turned into text by one call: as many arguments as every engine takes. */
const PIECE = 4096;
/** So much longer than reading them that takes. */
const WEIGHT = 4;
/** A part of a text that is not Unicode takes as long as reading so many bytes. */
const PART = 256;

export function toBytes(text: string): string {
  walk(text.length);
  return WIDE.test(text) ? byteText(encodeUtf8(text)) : text;
}

/** The byte string of bytes. */
export function byteText(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    walk(PIECE * WEIGHT);
    pieces.push(String.fromCharCode.apply(null, bytes.subarray(at, at + PIECE) as unknown as number[]));
  }
  return pieces.join("");
}

/** The bytes of a byte string. */
export function bytesOf(text: string): Uint8Array {
  walk(text.length);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** The text of a byte string; a byte that is not part of UTF-8 becomes U+FFFD. */
export function fromBytes(bytes: string): string {
  walk(bytes.length);
  return WIDE.test(bytes) ? decodeUtf8Bytewise(bytesOf(bytes)) : bytes;
}

/** strconv.Quote: a byte that is not part of UTF-8 shows as `\xNN`. */
export function quoteBytes(bytes: string): string {
  if (!WIDE.test(bytes)) return quoteText(bytes);
  const parts: string[] = [];
  for (const part of utf8Parts(bytesOf(bytes))) {
    walk(PART);
    parts.push(typeof part === "string" ? quoteText(part).slice(1, -1) : `\\x${part.toString(16)}`);
  }
  return `"${parts.join("")}"`;
}
