// The first PEM block of a text, found as Go's encoding/pem finds it: text around blocks, a block's label and its headers
// do not matter, a block that does not decode is skipped. Bytes are characters below 256 here.

import { decodeBase64 } from "@celadon/base";

const BEGIN = "-----BEGIN ";
const END = "\n-----END ";
const DASHES = "-----";

/** A block of PEM that decodes. */
export interface PemBlock {
  /** `CERTIFICATE REQUEST`. */
  readonly label: string;
  readonly content: Uint8Array;
}

/** The content of the first decodable block; undefined without one. */
export function decodePem(text: string): Uint8Array | undefined {
  return firstPemBlock(text)?.content;
}

/** The first decodable block; undefined without one. */
export function firstPemBlock(text: string): PemBlock | undefined {
  let from = 0;
  for (;;) {
    const end = text.indexOf(END, from);
    if (end < 0) return undefined;
    const block = blockAt(text, from, end);
    if (block !== undefined) return block;
    from = end + END.length;
  }
}

/** The block that ends at `end` and begins with the last BEGIN line before it. */
function blockAt(text: string, from: number, end: number): PemBlock | undefined {
  // Looked for in this stretch only: a text full of END lines is still read once.
  const found = text.slice(from, end).lastIndexOf(BEGIN);
  const begin = from + found;
  if (found < 0 || (begin > from && text[begin - 1] !== "\n")) return undefined;
  const first = lineAt(text, begin + BEGIN.length);
  if (!first.text.endsWith(DASHES)) return undefined;

  const label = first.text.slice(0, -DASHES.length);
  const trailer = `${label}${DASHES}`;
  const afterEnd = end + END.length;
  if (!text.startsWith(trailer, afterEnd)) return undefined;
  if (lineAt(text, afterEnd + trailer.length).text !== "") return undefined;

  const body = skipHeaders(text, first.next);
  // The line break before END belongs to it, so an empty block ends before its body begins.
  if (body > end) return body === first.next ? { label, content: new Uint8Array() } : undefined;
  // Blanks and tabs are skipped too, unlike in base64 elsewhere.
  const bytes = decodeBase64(text.slice(body, end).replace(/[ \t]+/g, ""));
  return typeof bytes === "number" ? undefined : { label, content: bytes };
}

function skipHeaders(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const line = lineAt(text, at);
    if (!line.text.includes(":")) return at;
    at = line.next;
  }
  return at;
}

/** A line without its end and the blanks before that. */
function lineAt(text: string, start: number): { readonly text: string; readonly next: number } {
  const found = text.indexOf("\n", start);
  const next = found < 0 ? text.length : found + 1;
  let end = found < 0 ? text.length : found;
  if (found > start && text[end - 1] === "\r") end--;
  // Not by a regular expression: that would try at every blank of a long run.
  while (end > start && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return { text: text.slice(start, end), next };
}

/** Each byte as the character of the same number. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return text;
}
