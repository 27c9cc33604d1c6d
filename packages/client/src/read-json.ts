// JSON of an API server as values that policies may see: integers beyond 2^53 stay exact, and `1.0` stays a double. Nearly all texts
// have neither, and those are left to the engine's own parser.

import { readDocument } from "@celadon/kube/read";

/** Makes the value of a double that is a whole number. */
export type DoubleFactory = (n: number) => unknown;

/**
 * Numbers with a point, an exponent or many digits, from what is before them to what is after. Something like them inside a text costs
 * time only, but must be seldom: tags of images such as `web:1.25` are in nearly every workload.
 */
const UNUSUAL_NUMBER = /(?:"\s*:|[[,])\s*-?(?:\d{16}|\d+[.eE])[\d.eE+-]*\s*[,\]}]/;
/** The whole text is a number. */
const LONE_NUMBER = /^\s*-?\d/;

/** Throws a SyntaxError for what is no JSON. */
export function readJson(text: string, double: DoubleFactory): unknown {
  if (!UNUSUAL_NUMBER.test(text) && !LONE_NUMBER.test(text)) return JSON.parse(text);
  const read = readDocument(text, { format: "json", double, duplicateKeys: "last", limits: NO_LIMITS });
  if (!("value" in read)) throw new SyntaxError(read[0]?.message ?? "no JSON");
  return read.value;
}

/** The transport bounds what is read. */
const NO_LIMITS = { bytes: Number.MAX_SAFE_INTEGER, nodes: Number.MAX_SAFE_INTEGER, depth: 10_000 };
