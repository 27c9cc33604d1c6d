// A collection that answers "is an equal value in here?" without comparing everything with everything. CEL's equality crosses
// number types, so a key stands for a whole class of equal values; what has no key is compared one by one.

import { equal } from "../value/equal.ts";
import { type List, listGet, listSize } from "../value/list.ts";
import { Double, Uint, type Value } from "../value/value.ts";

type Key = string | number | boolean | null;

export class Membership {
  readonly #keys = new Set<Key>();
  readonly #others: Value[] = [];

  static of(list: List): Membership {
    const members = new Membership();
    for (let i = 0; i < listSize(list); i++) members.add(listGet(list, i));
    return members;
  }

  add(value: Value): void {
    const key = keyOf(value);
    if (key === undefined) this.#others.push(value);
    else this.#keys.add(key);
  }

  has(value: Value): boolean {
    const key = keyOf(value);
    if (key === undefined) return this.#others.some((other) => equal(value, other) === true);
    // NaN equals nothing, although a Set finds it.
    return this.#keys.has(key) && !Number.isNaN(key);
  }
}

/**
 * What all values equal to this one share. Integers beyond 2^53 have none: beside a double they are compared rounded, which is
 * not transitive.
 */
function keyOf(value: Value): Key | undefined {
  switch (typeof value) {
    case "string":
      // Kept apart from numbers, which a Set tells apart by type anyway.
      return value;
    case "boolean":
      return value;
    case "number":
      return isSmall(value) ? value : undefined;
    case "object": {
      if (value === null) return null;
      if (!(value instanceof Double) && !(value instanceof Uint)) return undefined;
      const number = value.value;
      return typeof number === "number" && isSmall(number) ? number : undefined;
    }
    default:
      return undefined;
  }
}

const isSmall = (n: number): boolean => Number.isNaN(n) || Math.abs(n) <= Number.MAX_SAFE_INTEGER;
