// Base64 with the URL-safe alphabet and padding, which is how CEL reads texts of format byte, although they are validated
// against the standard alphabet. Tells where a text goes wrong as Go's encoding/base64 does.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const PAD = 0x3d;
const INVALID = 0xff;

const DIGITS = new Uint8Array(128).fill(INVALID);
for (let i = 0; i < 64; i++) DIGITS[ALPHABET.charCodeAt(i)] = i;

const isLineBreak = (code: number): boolean => code === 0x0a || code === 0x0d;

/** The bytes, or the offset of what is not base64. All before that offset is ASCII, so characters and bytes count alike. */
export function decodeUrlBase64(text: string): Uint8Array | number {
  const out = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let written = 0;
  let at = 0;
  for (;;) {
    let group = 0;
    let count = 0;
    while (count < 4) {
      if (at === text.length) return count === 0 ? out.subarray(0, written) : at - count;
      const code = text.charCodeAt(at++);
      if (isLineBreak(code)) continue;
      const digit = code < 128 ? (DIGITS[code] as number) : INVALID;
      if (digit === INVALID) {
        const wrong = code === PAD ? endAfterPad(text, at, count) : at - 1;
        return wrong === undefined ? finish(out, written, group, count) : wrong;
      }
      group = (group << 6) | digit;
      count++;
    }
    out[written++] = group >> 16;
    out[written++] = (group >> 8) & 0xff;
    out[written++] = group & 0xff;
  }
}

/** Where the rest of the text after a first `=` is wrong, if anywhere. */
function endAfterPad(text: string, from: number, count: number): number | undefined {
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
