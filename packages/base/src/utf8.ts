// UTF-8 of JavaScript's text: bytes, their number, their order. Go's len() counts these bytes, and Kubernetes' length limits and
// sorted lists mean them. TextEncoder and TextDecoder exist in every runtime but not in the language's own type library.

interface Encoder {
  encode(text: string): Uint8Array;
}
interface Decoder {
  decode(bytes: Uint8Array): string;
}
declare const TextEncoder: new () => Encoder;
declare const TextDecoder: new (label: string, options: { fatal: boolean; ignoreBOM: boolean }) => Decoder;

const encoder = /* @__PURE__ */ new TextEncoder();
const strict = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** A lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Undefined when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8; every invalid sequence becomes U+FFFD. */
export function decodeUtf8Lossy(bytes: Uint8Array): string {
  return lenient.decode(bytes);
}

/** Every byte that is not part of UTF-8 becomes one U+FFFD, as Go has it. */
export function decodeUtf8Bytewise(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (const part of utf8Parts(bytes)) parts.push(typeof part === "string" ? part : "\ufffd");
  return parts.join("");
}

/** Bytes as texts, and between them the bytes that are not part of UTF-8, each by itself. */
export function* utf8Parts(bytes: Uint8Array): Generator<string | number> {
  const whole = decodeUtf8(bytes);
  if (whole !== undefined) return yield whole;
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (start < at) yield lenient.decode(bytes.subarray(start, at));
    yield bytes[at] as number;
    start = ++at;
  }
  if (start < bytes.length) yield lenient.decode(bytes.subarray(start));
}

/** The number of bytes of the character that begins here; 0 where none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  // The second byte excludes overlong forms, surrogates and code points beyond U+10FFFF.
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i] ?? 0;
    if (byte < (i === 1 ? low : 0x80) || byte > (i === 1 ? high : 0xbf)) return 0;
  }
  return length;
}

const WIDE = /[\x80-\uffff]/;

/** The length in UTF-8 bytes, without encoding. */
export function utf8Length(text: string): number {
  let length = text.length;
  if (!WIDE.test(text)) return length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A pair of surrogates is four bytes for two units, so each half adds one; a lone one is written as U+FFFD, three bytes.
    length += unit < 0x800 || isPaired(text, i, unit) ? 1 : 2;
  }
  return length;
}

function isPaired(text: string, i: number, unit: number): boolean {
  if (unit < 0xd800 || unit > 0xdfff) return false;
  return unit < 0xdc00 ? isLow(text.charCodeAt(i + 1)) : isHigh(text.charCodeAt(i - 1));
}
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** Less, equal or greater. */
export type Order = -1 | 0 | 1;

const HIGH = /[\ud800-\uffff]/;

/** By code point, which is the order of UTF-8 bytes: surrogates stand for code points above all other code units. */
export function compareStrings(a: string, b: string): Order {
  if (a === b) return 0;
  // JavaScript compares code units, which differs only between a surrogate and a unit above the surrogates. Nothing beyond the end of the
  // shorter string is read: its length is the cost of a comparison.
  if (!HIGH.test(a.length < b.length ? a : b)) return a < b ? -1 : 1;
  const shorter = Math.min(a.length, b.length);
  let i = 0;
  while (i < shorter && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === shorter) return order(a.length, b.length);
  return order(rank(a.charCodeAt(i)), rank(b.charCodeAt(i)));
}

/** Moves surrogates (U+D800..DFFF) above U+E000..FFFF. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/** The order of two byte strings, as Go compares them. */
export function compareBytes(a: Uint8Array, b: Uint8Array): Order {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    if (a[i] !== b[i]) return order(a[i] as number, b[i] as number);
  }
  return order(a.length, b.length);
}

const order = (a: number, b: number): Order => (a < b ? -1 : a > b ? 1 : 0);
