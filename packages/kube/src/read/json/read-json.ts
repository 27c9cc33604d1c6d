// JSON as values without loss: integers beyond 2^53 stay exact, and `1.0` stays a double. Nearly all texts have neither, and those are left
// to the engine's own parser.

import { Double, decodeUtf8Lossy } from "@celadon/base";
import { readDocument } from "../read.ts";

/**
 * Numbers with a point, an exponent or many digits, including the text around them. Something like them inside a text costs time only, but
 * must be seldom: tags of images such as `web:1.25` are in nearly every workload.
 */
const UNUSUAL_NUMBER = /(?:"\s*:|[[,])\s*-?(?:\d{16}|\d+[.eE])[\d.eE+-]*\s*[,\]}]/;
/** The whole text is a number. */
const LONE_NUMBER = /^\s*-?\d/;

/** Reads JSON exactly. Throws a SyntaxError for text that is not JSON. */
export function readJson(text: string): unknown {
  if (!UNUSUAL_NUMBER.test(text) && !LONE_NUMBER.test(text)) return JSON.parse(text);
  const read = readDocument(text, { format: "json", double, duplicateKeys: "last", limits: NO_LIMITS });
  if (!("value" in read)) throw new SyntaxError(read[0]?.message ?? "no JSON");
  return read.value;
}

const double = (n: number): Double => new Double(n);

/** The transport bounds the size. */
const NO_LIMITS = { bytes: Number.MAX_SAFE_INTEGER, nodes: Number.MAX_SAFE_INTEGER, depth: 10_000 };

/**
 * The same of bytes that a server wrote, this one or kube-apiserver: doubles that are whole have neither point nor exponent there, so only
 * long numbers have to be looked for. Throws a SyntaxError too.
 */
export function readStoredJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8Lossy(bytes);
  return hasLongNumber(bytes) ? readJson(text) : JSON.parse(text);
}

/** The fewest digits of an integer that a double cannot hold. */
const LONG = 16;

/** Whether there may be so many digits in a row: each such row has one at a multiple of its length. */
function hasLongNumber(bytes: Uint8Array): boolean {
  for (let at = LONG - 1; at < bytes.length; at += LONG) {
    if (!isDigit(bytes[at])) continue;
    let [from, to] = [at, at + 1];
    while (from > 0 && isDigit(bytes[from - 1])) from--;
    while (to < bytes.length && isDigit(bytes[to])) to++;
    if (to - from >= LONG) return true;
  }
  return false;
}

const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39;
