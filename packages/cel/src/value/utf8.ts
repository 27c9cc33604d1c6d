// UTF-8, strictly. TextEncoder and TextDecoder exist in every runtime but not in the language's own type library.

interface Encoder {
  encode(text: string): Uint8Array;
}
interface Decoder {
  decode(bytes: Uint8Array): string;
}
declare const TextEncoder: new () => Encoder;
declare const TextDecoder: new (label: string, options: { fatal: boolean; ignoreBOM: boolean }) => Decoder;

const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

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

/** What is not UTF-8 becomes U+FFFD. */
export function decodeUtf8Lossy(bytes: Uint8Array): string {
  return lenient.decode(bytes);
}

const WIDE = /[\x80-\uffff]/;

/** The length in UTF-8 bytes, without encoding. */
export function utf8Length(text: string): number {
  let length = text.length;
  if (!WIDE.test(text)) return length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A pair of surrogates is four bytes for two units, so each half adds one.
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
