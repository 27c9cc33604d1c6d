// Query strings as Go's net/url reads them: malformed pairs are dropped, repeated keys collect their values.

import { grow, work } from "@celadon/cel/values";
import { fromBytes } from "./byte-text.ts";
import { percentDecode, UrlFailure } from "./percent.ts";

/** Values by key, in order of first appearance. */
export type Query = ReadonlyMap<string, readonly string[]>;

/** Beyond this many parameters Go refuses to look, and the query counts as empty. */
const MAX_PARAMETERS = 10_000;

/** The entry of a pair and its list of one take the room of so many characters. */
const UNITS_PER_PAIR = 64;

/** A pair takes as long as so many steps of work, however short it is. */
const STEPS_PER_PAIR = 64;

export function parseQuery(bytes: string): Query {
  const query = new Map<string, string[]>();
  grow(bytes.length);
  const pairs = bytes.split("&", MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) return query;
  grow(pairs.length * UNITS_PER_PAIR);
  for (const pair of pairs) {
    work(STEPS_PER_PAIR);
    if (pair === "" || pair.includes(";")) continue;
    const equals = pair.indexOf("=");
    const key = percentDecode(equals < 0 ? pair : pair.slice(0, equals), "query");
    const value = percentDecode(equals < 0 ? "" : pair.slice(equals + 1), "query");
    if (key instanceof UrlFailure || value instanceof UrlFailure) continue;
    const text = fromBytes(value);
    const values = query.get(fromBytes(key));
    if (values === undefined) query.set(fromBytes(key), [text]);
    else values.push(text);
  }
  return query;
}
