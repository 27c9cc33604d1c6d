// Base64 with the standard alphabet. Encoding pads; decoding takes padded and unpadded text, skips line breaks and tells
// where the text goes wrong, as Go's encoding/base64 does for both forms in turn.

import { type CelError, celError } from "./error.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PAD = 0x3d;
const INVALID = 0xff;

const DIGITS = new Uint8Array(128).fill(INVALID);
for (let i = 0; i < 64; i++) DIGITS[ALPHABET.charCodeAt(i)] = i;

/** So that a long text is joined from few pieces. */
const CHUNK = 0x2000;

export function encodeBase64(bytes: Uint8Array): string {
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let at = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const group = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    out[at++] = ALPHABET.charCodeAt(group >> 18);
    out[at++] = ALPHABET.charCodeAt((group >> 12) & 63);
    out[at++] = i + 1 < bytes.length ? ALPHABET.charCodeAt((group >> 6) & 63) : PAD;
    out[at++] = i + 2 < bytes.length ? ALPHABET.charCodeAt(group & 63) : PAD;
  }
  let text = "";
  for (let i = 0; i < out.length; i += CHUNK) text += String.fromCharCode(...out.subarray(i, i + CHUNK));
  return text;
}

/** Padded text first; when that is corrupt, unpadded, whose complaint is then the one told. */
export function decodeBase64(text: string): Uint8Array | CelError {
  const padded = decode(text, true);
  if (typeof padded !== "number") return padded;
  const unpadded = decode(text, false);
  if (typeof unpadded !== "number") return unpadded;
  return celError("invalid_argument", `illegal base64 data at input byte ${unpadded}`);
}

/** The bytes, or the offset in UTF-8 of what is not base64. */
function decode(text: string, padding: boolean): Uint8Array | number {
  const out = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let written = 0;
  let at = 0;
  for (;;) {
    let group = 0;
    let count = 0;
    while (count < 4) {
      if (at === text.length) {
        if (count === 0) return out.subarray(0, written);
        // One digit alone says nothing; a padded group may not just stop.
        if (count === 1 || padding) return at - count;
        return finish(out, written, group, count);
      }
      const c = text.charCodeAt(at++);
      const digit = c < 128 ? (DIGITS[c] as number) : INVALID;
      if (digit !== INVALID) {
        group = (group << 6) | digit;
        count++;
      } else if (c !== 0x0a && c !== 0x0d) {
        // Everything before this place is ASCII, so its offset in bytes is its offset here.
        if (c !== PAD || !padding || count < 2 || !isPaddingToTheEnd(text, at, 3 - count)) return at - 1;
        return finish(out, written, group, count);
      }
    }
    out[written++] = group >> 16;
    out[written++] = (group >> 8) & 0xff;
    out[written++] = group & 0xff;
  }
}

/** Whether exactly `missing` more `=` follow, and nothing else but line breaks. */
function isPaddingToTheEnd(text: string, from: number, missing: number): boolean {
  let pads = 0;
  for (let at = from; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === PAD) pads++;
    else if (c !== 0x0a && c !== 0x0d) return false;
  }
  return pads === missing;
}

/** The one or two bytes of a last group that is not full. */
function finish(out: Uint8Array, written: number, group: number, count: number): Uint8Array {
  const bits = group << (6 * (4 - count));
  out[written] = bits >> 16;
  if (count === 3) out[written + 1] = (bits >> 8) & 0xff;
  return out.subarray(0, written + count - 1);
}
