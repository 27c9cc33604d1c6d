// Work as the fragment of a link: `1.` and then its JSON, deflated, in base64url. A fragment is never sent to a server. The content of a
// link is not trusted: its size is limited while it is inflated, and its shape checked.

import { decodeUtf8, encodeUtf8 } from "@celadon/base";
import { readWork, type Work } from "./work.ts";

/** Makes raw deflate data of bytes. */
export type Deflate = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** The bytes of raw deflate data; rejects or throws where there are more than `limit`, or the data is broken. */
export type Inflate = (bytes: Uint8Array, limit: number) => Uint8Array | Promise<Uint8Array>;

/** Chat programs cut links that are longer. */
export const LONG_LINK = 2_000;

/** Longer ones are not offered: a file is. */
export const LONGEST_LINK = 32_000;

/** Bytes that the JSON of a link may have. */
export const LARGEST_WORK: number = 4 * 1024 * 1024;

const VERSION = "1.";

/** The fragment of a link to work, without `#`. */
export async function encodeWork(work: Work, deflate: Deflate): Promise<string> {
  const kept = Object.entries(work).filter(([, value]) => value !== "" && value !== undefined);
  return VERSION + toBase64Url(await deflate(encodeUtf8(JSON.stringify(Object.fromEntries(kept)))));
}

/** The work of a URL fragment, or why it cannot be read. */
export async function decodeWork(fragment: string, inflate: Inflate): Promise<Work | { readonly problem: string }> {
  if (!fragment.startsWith(VERSION)) return { problem: "the link has a format that this version does not support" };
  const bytes = fromBase64Url(fragment.slice(VERSION.length));
  if (bytes === undefined) return { problem: "the link is damaged: it was cut off or changed" };
  try {
    const text = decodeUtf8(await inflate(bytes, LARGEST_WORK));
    const work = readWork(JSON.parse(text ?? ""));
    return work ?? { problem: "the link has no playground data" };
  } catch {
    return { problem: "the link is damaged or too large, and could not be decompressed" };
  }
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const [a, b = 0, c = 0] = bytes.subarray(i, i + 3);
    const bits = (a! << 16) | (b << 8) | c;
    const digits = [bits >> 18, (bits >> 12) & 63, (bits >> 6) & 63, bits & 63].slice(0, bytes.length - i + 1);
    for (const digit of digits) text += DIGITS[digit];
  }
  return text;
}

function fromBase64Url(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let [bits, held, at] = [0, 0, 0];
  for (const digit of text) {
    const value = DIGITS.indexOf(digit);
    if (value === -1) return undefined;
    bits = ((bits << 6) | value) & 0xffffff;
    held += 6;
    if (held >= 8) bytes[at++] = (bits >> (held -= 8)) & 255;
  }
  return bytes;
}
