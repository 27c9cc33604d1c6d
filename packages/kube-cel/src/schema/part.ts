// The knowledge of an object or a list about its parts: how data becomes a value, and when two pieces of data are the same value. Upstream
// asks the left part itself whether it equals the right one, but the language's own `==` first looks for null on either side: an object
// beside null is an error here, not false.

import { type CelError, ListValue, MapValue, type Value } from "@celadon/cel";
import { equal } from "@celadon/cel/values";

export interface Part {
  /** The kinds of data that are values already. */
  readonly asIs?: readonly string[] | undefined;
  toValue(data: unknown): Value | CelError;
  /** Compares as `sameValue` does, without making the two values. */
  same(a: unknown, b: unknown): boolean | CelError;
}

export function sameValue(a: Value, b: Value): boolean | CelError {
  if ((a instanceof MapValue || a instanceof ListValue) && a.equals !== undefined) return a.equals(b);
  return equal(a, b);
}
