// Base64 as Go's encoding/base64 reads and writes it: line breaks are skipped, and a text that is not base64 is answered with the
// offset Go would name.

const STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PAD = 0x3d;
const INVALID = 0xff;

/** Digits by character code; `-` and `_` are the URL alphabet's last two. */
const DIGITS = /* @__PURE__ */ digitsOf(STANDARD);
const URL_DIGITS = /* @__PURE__ */ digitsOf(`${STANDARD.slice(0, 62)}-_`);

function digitsOf(alphabet: string): Uint8Array {
  const digits = new Uint8Array(128).fill(INVALID);
  for (let i = 0; i < 64; i++) digits[alphabet.charCodeAt(i)] = i;
  return digits;
}

/** Which alphabet is used, and whether the end is padded. */
export interface Base64Form {
  /** The alphabet of URLs: `-` and `_` for `+` and `/`. */
  readonly url?: boolean;
  /** No `=` at the end, where they are demanded otherwise. */
  readonly unpadded?: boolean;
}

/** So that a long text is joined from few pieces. */
const CHUNK = 0x2000;

/** The standard alphabet, padded. */
export function encodeBase64(bytes: Uint8Array): string {
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let at = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const group = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    out[at++] = STANDARD.charCodeAt(group >> 18);
    out[at++] = STANDARD.charCodeAt((group >> 12) & 63);
    out[at++] = i + 1 < bytes.length ? STANDARD.charCodeAt((group >> 6) & 63) : PAD;
    out[at++] = i + 2 < bytes.length ? STANDARD.charCodeAt(group & 63) : PAD;
  }
  let text = "";
  for (let i = 0; i < out.length; i += CHUNK) text += String.fromCharCode(...out.subarray(i, i + CHUNK));
  return text;
}

/** The bytes, or the offset of what is not base64. All before that offset is ASCII, so characters and bytes count alike. */
export function decodeBase64(text: string, { url = false, unpadded = false }: Base64Form = {}): Uint8Array | number {
  const digits = url ? URL_DIGITS : DIGITS;
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
        return count === 1 || !unpadded ? at - count : finish(out, written, group, count);
      }
      const code = text.charCodeAt(at++);
      if (isLineBreak(code)) continue;
      const digit = code < 128 ? (digits[code] as number) : INVALID;
      if (digit === INVALID) {
        const wrong = code === PAD && !unpadded ? wrongAfterPad(text, at, count) : at - 1;
        return wrong ?? finish(out, written, group, count);
      }
      group = (group << 6) | digit;
      count++;
    }
    out[written++] = group >> 16;
    out[written++] = (group >> 8) & 0xff;
    out[written++] = group & 0xff;
  }
}

const isLineBreak = (code: number): boolean => code === 0x0a || code === 0x0d;

/** Where the rest of the text after a first `=` is wrong, if anywhere. */
function wrongAfterPad(text: string, from: number, count: number): number | undefined {
  if (count < 2) return from - 1;
  let at = skipLineBreaks(text, from);
  if (count === 2) {
    if (at === text.length) return at;
    if (text.charCodeAt(at) !== PAD) return at - 1;
    at = skipLineBreaks(text, at + 1);
  }
  return at < text.length ? at : undefined;
}

function skipLineBreaks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isLineBreak(text.charCodeAt(at))) at++;
  return at;
}

/** The one or two bytes of a last group that is not full. */
function finish(out: Uint8Array, written: number, group: number, count: number): Uint8Array {
  const bits = group << (6 * (4 - count));
  out[written] = bits >> 16;
  if (count === 3) out[written + 1] = (bits >> 8) & 0xff;
  return out.subarray(0, written + count - 1);
}
