// Percent-encoding as Go's net/url has it: which characters stand for themselves depends on the part of the URL.
// All strings here are byte strings (byte-text.ts).

import { bytesOf, byteText, quoteBytes } from "./byte-text.ts";

export type Part = "path" | "host" | "zone" | "userinfo" | "query" | "fragment";

/** A text that is no URL. Why, in Go's words, is written when it is read. */
export class UrlFailure {
  readonly #reason: () => string;
  constructor(reason: () => string) {
    this.#reason = reason;
  }
  get reason(): string {
    return this.#reason();
  }
}

/** The characters that stand for themselves beside letters, digits and `-._~`, which do so everywhere. */
const PLAIN: Readonly<Record<Part, string>> = {
  path: "$&+,/:;=@",
  host: "!\"$&'()*+,:;<=>[]",
  zone: "!\"$&'()*+,:;<=>[]",
  userinfo: "$&+,;=",
  query: "",
  fragment: "!$&()*+,/:;=?@",
};
/** The characters that a path or fragment may have as it was written. */
const VALID = "!$&'()*+,;=:@[]%";

const UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

/** The bytes that stand for themselves, by part. */
const plain = (part: Part): Uint8Array => tableOf(UNRESERVED + PLAIN[part]);
const IS_PLAIN: Readonly<Record<Part, Uint8Array>> = {
  path: plain("path"),
  host: plain("host"),
  zone: plain("zone"),
  userinfo: plain("userinfo"),
  query: plain("query"),
  fragment: plain("fragment"),
};

function tableOf(chars: string): Uint8Array {
  const table = new Uint8Array(256);
  for (let i = 0; i < chars.length; i++) table[chars.charCodeAt(i)] = 1;
  return table;
}

const PERCENT = 0x25;
const PLUS = 0x2b;
const BLANK = 0x20;

export function percentDecode(text: string, part: Part): string | UrlFailure {
  const inHost = part === "host" || part === "zone";
  if (!inHost && !text.includes("%") && !(part === "query" && text.includes("+"))) return text;
  const bytes = bytesOf(text);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    let byte = bytes[i] as number;
    if (byte === PERCENT) {
      const value = 16 * hexDigit(bytes[i + 1]) + hexDigit(bytes[i + 2]);
      if (Number.isNaN(value) || (inHost && !mayEscape(value, part))) return invalidEscape(text.slice(i, i + 3));
      byte = value;
      i += 2;
    } else if (inHost && byte < 0x80 && IS_PLAIN[part][byte] === 0) {
      const char = text.charAt(i);
      return new UrlFailure(() => `invalid character ${quoteBytes(char)} in host name`);
    } else if (byte === PLUS && part === "query") byte = BLANK;
    bytes[length++] = byte;
  }
  return byteText(bytes.subarray(0, length));
}

/** NaN if it is no digit. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

/** In host names only bytes beyond ASCII may be escaped; in zones also characters of host names, and blanks. */
function mayEscape(byte: number, part: Part): boolean {
  if (byte === PERCENT) return true;
  if (part === "host") return byte >= 0x80;
  return byte === BLANK || (byte < 0x80 && IS_PLAIN.host[byte] === 1);
}

const invalidEscape = (escaped: string): UrlFailure =>
  new UrlFailure(() => `invalid URL escape ${quoteBytes(escaped)}`);

const HEX = "0123456789ABCDEF";

export function percentEncode(text: string, part: Part): string {
  const isPlain = IS_PLAIN[part];
  const bytes = bytesOf(text);
  let escapes = 0;
  for (let i = 0; i < bytes.length; i++) if (isPlain[bytes[i] as number] === 0) escapes++;
  if (escapes === 0) return text;
  const out = new Uint8Array(bytes.length + 2 * escapes);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (isPlain[byte] === 0) {
      out[length++] = PERCENT;
      out[length++] = HEX.charCodeAt(byte >> 4);
      out[length++] = HEX.charCodeAt(byte & 15);
    } else out[length++] = byte;
  }
  return byteText(out);
}

const VALID_IN_PATH = tableOf(UNRESERVED + PLAIN.path + VALID);
const VALID_IN_FRAGMENT = tableOf(UNRESERVED + PLAIN.fragment + VALID);

/** Whether a path or fragment was written in an acceptable way, so that it is shown as it was written. */
export function isValidEncoding(text: string, part: "path" | "fragment"): boolean {
  const valid = part === "path" ? VALID_IN_PATH : VALID_IN_FRAGMENT;
  return bytesOf(text).every((byte) => valid[byte] === 1);
}
