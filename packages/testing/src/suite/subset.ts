// Whether data contains the expected parts: further fields are allowed, lists are compared item by item.

import { isRecord } from "@celadon/base";
export interface Missed {
  readonly path: readonly (string | number)[];
  readonly expected: unknown;
  /** Undefined when there is nothing. */
  readonly actual: unknown;
}

/** Every place where `actual` is not as expected. Null expects an absent value. */
export function missedIn(expected: unknown, actual: unknown, path: readonly (string | number)[] = []): Missed[] {
  if (expected === null) return actual === undefined || actual === null ? [] : [{ path, expected, actual }];
  if (isRecord(expected) && isRecord(actual)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      missedIn(value, Object.hasOwn(actual, key) ? actual[key] : undefined, [...path, key]),
    );
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((value, i) => missedIn(value, actual[i], [...path, i]));
  }
  return same(expected, actual) ? [] : [{ path, expected, actual }];
}

// Numbers may come boxed, to tell 1.0 from 1.
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const isNumber = (value: unknown): boolean => typeof value === "number" || typeof value === "bigint";
  return (
    (isNumber(a) || isNumber(b)) &&
    typeof a !== "string" &&
    typeof b !== "string" &&
    !Array.isArray(b) &&
    Number(a) === Number(b)
  );
}
