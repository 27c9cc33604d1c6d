// Equality of parts of schema-typed values. Upstream asks the left part itself, where the language's own `==` first looks for
// null on either side: an object beside null is an error here, not false.

import { type CelError, ListValue, MapValue, type Value } from "@celadon/cel";
import { equal } from "@celadon/cel/extend";

export function sameValue(a: Value, b: Value): boolean | CelError {
  if ((a instanceof MapValue || a instanceof ListValue) && a.equals !== undefined) return a.equals(b);
  return equal(a, b);
}
