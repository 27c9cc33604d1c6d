// Whether two documents say the same, but for the values of some fields.

import { deepEqual, isRecord } from "@celadon/base";

/** `values` has, by path written as JSON, the new values of the second document. */
export function sameExcept(
  before: unknown,
  after: unknown,
  values: ReadonlyMap<string, unknown>,
  path: readonly (string | number)[] = [],
): boolean {
  if (Array.isArray(before)) {
    if (!Array.isArray(after) || after.length !== before.length) return false;
    return before.every((value, i) => sameExcept(value, after[i], values, [...path, i]));
  }
  if (isRecord(before)) {
    const keys = Object.keys(before);
    if (!isRecord(after) || Object.keys(after).join("\n") !== keys.join("\n")) return false;
    return keys.every((key) => sameExcept(before[key], after[key], values, [...path, key]));
  }
  if (typeof before !== "string") return deepEqual(before, after);
  return after === before ? !values.has(JSON.stringify(path)) : values.get(JSON.stringify(path)) === after;
}
