// Iterating over lists and maps of every representation, for interpreted and generated loops.

import { isMap } from "../value/box.ts";
import { mapEntries } from "../value/collection/map.ts";
import { CelError } from "../value/error.ts";
import { goTypeName } from "../value/type-of.ts";
import { ListValue, type Value } from "../value/value.ts";

/**
 * Calls `visit` for each element until it answers true. One variable: element or key; two: index and element, or key and
 * value. The third argument is the element or value in either case. Answers false when the value cannot be iterated.
 */
export function iterate(
  values: Value,
  two: boolean,
  visit: (first: Value, second: Value, element: Value) => boolean,
): boolean {
  if (Array.isArray(values)) {
    for (let i = 0; i < values.length; i++) {
      const element = values[i] === undefined ? null : values[i];
      if (visit(two ? i : element, element, element)) break;
    }
    return true;
  }
  if (values instanceof ListValue) {
    for (let i = 0; i < values.size; i++) {
      const element = values.get(i);
      if (visit(two ? i : element, element, element)) break;
    }
    return true;
  }
  if (!isMap(values)) return false;
  for (const [key, value] of mapEntries(values)) if (visit(key, value, value)) break;
  return true;
}

export function rangeError(values: Value, two: boolean): CelError {
  const type = goTypeName(values);
  const message = two ? `unsupported comprehension range type: ${type}` : `got '${type}', expected iterable type`;
  return new CelError("invalid_argument", message);
}
