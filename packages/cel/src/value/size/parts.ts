// The size of a value when it is written out. A value that an expression made may be part of itself many times over, in a few dozen lists
// of two: written out it would fill any memory. The size of a list or map is computed once, so the total takes no longer than the value has
// parts.

import { isList, isMap } from "../box.ts";
import { mapFind, mapKeys } from "../collection/any-map.ts";
import { listGet, listSize } from "../collection/list.ts";
import { Optional, StructValue, type Value } from "../value.ts";

/** A size that no object of a cluster approaches: those are three million characters at most. */
export const MAX_PARTS = 4_000_000;

/** Characters that count as a part. */
const UNITS_PER_PART = 32;

/** Data that contains itself ends here. */
const MAX_DEPTH = 1000;

/** Whether a value has more parts than are ever written as text. */
export function isTooLargeToWrite(value: Value): boolean {
  return typeof value === "object" && value !== null && partsOf(value, new Map(), 0) > MAX_PARTS;
}

function partsOf(value: Value, known: Map<object, number>, depth: number): number {
  if (typeof value === "string") return 1 + value.length / UNITS_PER_PART;
  if (typeof value !== "object" || value === null) return 1;
  const found = known.get(value);
  if (found !== undefined) return found;
  if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY;
  let parts = 1;
  if (isList(value)) {
    const size = listSize(value);
    for (let i = 0; i < size && parts <= MAX_PARTS; i++) parts += partsOf(listGet(value, i), known, depth + 1);
  } else if (isMap(value)) {
    for (const key of mapKeys(value)) {
      if (parts > MAX_PARTS) break;
      parts += partsOf(key, known, depth) + partsOf(mapFind(value, key), known, depth + 1);
    }
  } else if (value instanceof StructValue) {
    for (const part of value.parts?.() ?? []) {
      if (parts > MAX_PARTS) break;
      parts += partsOf(part, known, depth + 1);
    }
  } else if (value instanceof Optional) return value.hasValue ? partsOf(value.value, known, depth + 1) : 1;
  else return 1;
  known.set(value, parts);
  return parts;
}
