// A collection that answers "is an equal value in here?" without comparing everything with everything. Values that are equal have the same
// key, however they are written: 1 and 1.0, a literal and data. A key of a list or map is made of the keys of its parts, and short, because
// every key seen before has a number. A value without an equality class has no key and is compared.

import { isMap } from "../../value/box.ts";
import { type AnyMap, mapSize } from "../../value/collection/any-map.ts";
import { type List, listGet, listSize } from "../../value/collection/list.ts";
import { mapEntries } from "../../value/collection/map.ts";
import { equal } from "../../value/equal.ts";
import { grow, work } from "../../value/size/work.ts";
import {
  Double,
  Duration,
  ListValue,
  MapValue,
  Optional,
  Timestamp,
  Type,
  Uint,
  type Value,
} from "../../value/value.ts";

/** Scalars are their own keys, distinct as in a Set; structures have a number that no other value has. */
type Key = string | number | boolean | null | object;

export class Membership {
  readonly #keys = new Set<Key>();
  /** Values that are compared: by a key that says only which may be equal, and without one. */
  readonly #alike = new Map<Key, Value[]>();
  readonly #others: Value[] = [];
  /** Structures with a key, which might equal one of the others. */
  readonly #structures: Value[] = [];
  readonly #keysOf = new Keys();

  static of(list: List): Membership {
    const members = new Membership();
    for (let i = 0; i < listSize(list); i++) members.add(listGet(list, i));
    return members;
  }

  add(value: Value): void {
    if (typeof value === "string") {
      this.#keys.add(value);
      return;
    }
    const found = this.#keysOf.find(value);
    if (found === UNLIKE_ANY) {
      // A list or map with its own equality may think otherwise.
      if (typeof value === "object" && !(value instanceof Double)) this.#structures.push(value);
    } else if (found === undefined) this.#others.push(value);
    else if (found.exact) {
      this.#keys.add(found.key);
      if (typeof value === "object" && value !== null) this.#structures.push(value);
    } else {
      const alike = this.#alike.get(found.key);
      if (alike === undefined) this.#alike.set(found.key, [value]);
      else alike.push(value);
    }
  }

  has(value: Value): boolean {
    if (typeof value === "string") return this.#keys.has(value);
    const found = this.#keysOf.find(value);
    if (found === UNLIKE_ANY) return false;
    if (found === undefined)
      return this.#isAmong(value, this.#others) || this.#isAmong(value, this.#structures) || this.#isAlike(value);
    if (found.exact && this.#keys.has(found.key)) return true;
    const alike = this.#alike.get(found.key);
    if (alike !== undefined && this.#isAmong(value, alike)) return true;
    return typeof value === "object" && this.#isAmong(value, this.#others);
  }

  #isAlike(value: Value): boolean {
    for (const values of this.#alike.values()) if (this.#isAmong(value, values)) return true;
    return false;
  }

  #isAmong(value: Value, list: readonly Value[]): boolean {
    for (let i = 0; i < list.length; i++) {
      work(1);
      if (equal(value, list[i]) === true) return true;
    }
    return false;
  }
}

interface Found {
  readonly key: Key;
  /** Whether values with the key are equal; otherwise they may be. */
  readonly exact: boolean;
}

/** Deeper values are compared: data may contain itself. */
const MAX_DEPTH = 100;

class Keys {
  /** The number of each structure's key. */
  readonly #numbers = new Map<string, Found>();
  /** Structures seen before: one may be part of others many times. */
  readonly #known = new Map<object, Found | undefined>();
  /** Texts inside structures by number, so that they are written once. */
  readonly #texts = new Map<string, number>();

  find(value: Value, depth = 0): Found | undefined {
    switch (typeof value) {
      case "string":
      case "boolean":
        return { key: value, exact: true };
      case "number":
        return numberKey(value);
      case "bigint":
        return numberKey(Number(value));
      case "undefined":
        return NULL;
      case "object":
        return value === null ? NULL : this.#findObject(value, depth);
      default:
        return undefined;
    }
  }

  #findObject(value: object, depth: number): Found | undefined {
    if (value instanceof Double || value instanceof Uint) return numberKey(Number(value.value));
    if (depth > MAX_DEPTH) return undefined;
    if (this.#known.has(value)) return this.#known.get(value);
    const found = this.#structure(value, depth);
    this.#known.set(value, found);
    return found;
  }

  #structure(value: object, depth: number): Found | undefined {
    if (Array.isArray(value)) return this.#list(value, depth);
    if (value instanceof ListValue) return value.equals === undefined ? this.#list(value, depth) : undefined;
    if (value instanceof MapValue && value.equals !== undefined) return undefined;
    if (isMap(value)) return this.#map(value, depth);
    if (value instanceof Uint8Array) return this.#numbered(`b${latin1(value)}`, true);
    if (value instanceof Timestamp) return this.#numbered(`t${value.seconds}.${value.nanos}`, true);
    if (value instanceof Duration) return this.#numbered(`d${value.seconds}.${value.nanos}`, true);
    if (value instanceof Type) return this.#numbered(`y${value.name}`, true);
    return value instanceof Optional ? this.#optional(value, depth) : undefined;
  }

  #optional({ hasValue, value }: Optional, depth: number): Found | undefined {
    if (!hasValue) return this.#numbered("o", true);
    const found = this.find(value, depth + 1);
    if (found === undefined || found === UNLIKE_ANY) return found;
    return this.#numbered(`o${this.#written(found.key)}`, found.exact);
  }

  #list(list: List, depth: number): Found | undefined {
    const size = listSize(list);
    work(size + 1);
    const parts: string[] = [];
    let exact = true;
    for (let i = 0; i < size; i++) {
      const found = this.find(listGet(list, i), depth + 1);
      if (found === undefined || found === UNLIKE_ANY) return found;
      exact &&= found.exact;
      parts.push(this.#written(found.key));
    }
    return this.#numbered(`[${parts.join()}]`, exact);
  }

  /** Keys that are not texts find each other across types, and one may find two: such maps are compared. */
  #map(map: AnyMap, depth: number): Found | undefined {
    work(mapSize(map) + 1);
    const parts: string[] = [];
    let exact = true;
    for (const [key, value] of mapEntries(map)) {
      if (typeof key !== "string") return undefined;
      const found = this.find(value, depth + 1);
      if (found === undefined || found === UNLIKE_ANY) return found;
      exact &&= found.exact;
      parts.push(`${this.#written(key)}:${this.#written(found.key)}`);
    }
    return this.#numbered(`{${parts.sort().join()}}`, exact);
  }

  #numbered(text: string, exact: boolean): Found {
    let found = this.#numbers.get(text);
    if (found === undefined) {
      grow(text.length);
      found = { key: { number: this.#numbers.size }, exact };
      this.#numbers.set(text, found);
    }
    return found;
  }

  #written(key: Key): string {
    if (typeof key === "object" && key !== null) return `#${(key as { number: number }).number}`;
    if (typeof key !== "string") return String(key);
    let number = this.#texts.get(key);
    if (number === undefined) {
      number = this.#texts.size;
      this.#texts.set(key, number);
    }
    return `s${number}`;
  }
}

const NULL: Found = { key: null, exact: true };
/** NaN equals nothing, not even itself, and neither does a structure that contains it. */
const UNLIKE_ANY: Found = { key: Number.NaN, exact: false };

/** Integers beyond 2^53 equal doubles as doubles do, and each other exactly: integers with the same double may be equal. */
function numberKey(n: number): Found {
  if (Number.isNaN(n)) return UNLIKE_ANY;
  return { key: n + 0, exact: Math.abs(n) <= Number.MAX_SAFE_INTEGER };
}

function latin1(bytes: Uint8Array): string {
  work(bytes.length / 8 + 1);
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return text;
}
