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

/** Character codes by digit. */
const CODES = /* @__PURE__ */ Uint8Array.from(STANDARD, (digit) => digit.charCodeAt(0));

/** The alphabet of an encoding, and whether its end is padded. */
export interface Base64Form {
  /** The alphabet of URLs: `-` and `_` for `+` and `/`. */
  readonly url?: boolean;
  /** No `=` at the end, where they are demanded otherwise. */
  readonly unpadded?: boolean;
}

/** Bytes that are written, or characters that are read, at a time, so that a long text is joined from few pieces; a multiple of three. */
const PIECE = 0x3000;

/** The standard alphabet, padded. Before each piece of many bytes `pause` is called; it may throw. */
export function encodeBase64(bytes: Uint8Array, pause: () => void = () => {}): string {
  if (bytes.length <= PIECE) return encodePiece(bytes);
  let text = "";
  for (let i = 0; i < bytes.length; i += PIECE) {
    pause();
    text += encodePiece(bytes.subarray(i, i + PIECE));
  }
  return text;
}

function encodePiece(bytes: Uint8Array): string {
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let at = 0;
  let i = 0;
  for (; i + 2 < bytes.length; i += 3) {
    const group = ((bytes[i] as number) << 16) | ((bytes[i + 1] as number) << 8) | (bytes[i + 2] as number);
    codes[at++] = CODES[group >> 18] as number;
    codes[at++] = CODES[(group >> 12) & 63] as number;
    codes[at++] = CODES[(group >> 6) & 63] as number;
    codes[at++] = CODES[group & 63] as number;
  }
  if (i < bytes.length) {
    const two = i + 1 < bytes.length;
    const group = ((bytes[i] as number) << 16) | (two ? (bytes[i + 1] as number) << 8 : 0);
    codes[at++] = CODES[group >> 18] as number;
    codes[at++] = CODES[(group >> 12) & 63] as number;
    codes[at++] = two ? (CODES[(group >> 6) & 63] as number) : PAD;
    codes[at++] = PAD;
  }
  return String.fromCharCode(...codes);
}

/**
 * The bytes, or the offset of the first error. All before that offset is ASCII, so characters and bytes count alike. Before each piece of a
 * long text but the first `pause` is called; it may throw.
 */
export function decodeBase64(
  text: string,
  { url = false, unpadded = false }: Base64Form = {},
  pause: () => void = () => {},
): Uint8Array | number {
  const digits = url ? URL_DIGITS : DIGITS;
  const out = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let written = 0;
  let at = 0;
  let end = Math.min(PIECE, text.length);
  for (;;) {
    let group = 0;
    let count = 0;
    while (count < 4) {
      if (at === end) {
        if (at < text.length) pause();
        else if (count === 0) return out.subarray(0, written);
        // One digit alone is no byte; a padded group may not end early.
        else return count === 1 || !unpadded ? at - count : finish(out, written, group, count);
        end = Math.min(at + PIECE, text.length);
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

/** The first index after a `=` at which the text is wrong, if there is one. */
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
