// Maps are plain objects (own string keys) or MapValues. CelMap is the MapValue of literals and transformed maps.
//
// Keys collide only when type and value are the same: {1: a, 1u: b} has two entries. Lookups are more generous: int, uint
// and integral double keys find each other, the key's own type first. As in the reference, keys may be of any type that Go can
// hash; `checkMapKey` reports keys that the specification does not allow.

import { isPlainObject } from "../box.ts";
import { CelError, noSuchKey, Panic } from "../error.ts";
import { toInt } from "../int.ts";
import { growBy } from "../size/work.ts";
import { formatValue } from "../text/format-go.ts";
import { toJson } from "../to-json.ts";
import type { Int } from "../type.ts";
import { typeName } from "../type-of.ts";
import { Double, Duration, MapValue, Opaque, Timestamp, Uint, type Value } from "../value.ts";
import { type AnyMap, mapFind, mapKeys } from "./any-map.ts";

/** The memory of an entry, in elements of an array (value/size/work.ts). */
export const ENTRY_GROWTH = 8;

export type CelMapEntry = readonly [key: Value, value: Value];

/** A map whose keys need not be strings, in the order they were added. */
export class CelMap extends MapValue {
  // Insertion order. Int, string, bool and null keys stand for themselves; a boxed key is the first box seen of its value.
  readonly #entries = new Map<Value, Value>();
  #uints: Map<Int, Uint> | undefined;
  #doubles: Map<number, Double> | undefined;
  #others: Map<string, Value> | undefined;

  /** The map of a literal: a later entry replaces an earlier one with the same key. */
  static from(entries: Iterable<CelMapEntry>): CelMap | CelError {
    const map = new CelMap();
    for (const [key, value] of entries) {
      const failure = map.set(key, value);
      if (failure !== undefined) return failure;
    }
    return map;
  }

  override get size(): number {
    return this.#entries.size;
  }

  override find(key: Value): Value | CelError | undefined {
    const unhashable = this.size === 0 ? undefined : unhashableType(key);
    if (unhashable !== undefined) return unhashableKey(unhashable);
    const own = this.#slot(key);
    const found = own === undefined ? undefined : this.#entries.get(own);
    if (found !== undefined) return found;
    if (typeof key === "number" || typeof key === "bigint") {
      return Number.isSafeInteger(key) || typeof key === "bigint" ? this.#findUint(key) : this.#findIntegral(key);
    }
    if (key instanceof Double) return this.#findIntegral(key.value);
    if (key instanceof Uint) return this.#entries.get(key.value);
    return undefined;
  }

  override *keys(): Generator<Value> {
    for (const key of this.#entries.keys()) yield plainKey(key);
  }

  *entries(): Generator<CelMapEntry> {
    for (const [key, value] of this.#entries) yield [plainKey(key), value];
  }

  static {
    // what Node's console shows
    const value = function (this: CelMap): unknown {
      return new Map(this.entries());
    };
    Object.defineProperty(CelMap.prototype, Symbol.for("nodejs.util.inspect.custom"), { value });
  }

  /** For JSON.stringify, in the mapping of `toJson`. */
  toJSON(): unknown {
    return toJson(this);
  }

  override isZero(): boolean {
    return this.#entries.size === 0;
  }

  /** Sets an entry; an error for a key that cannot be one. */
  set(key: Value, value: Value): CelError | undefined {
    const unhashable = unhashableType(key);
    if (unhashable !== undefined) return unhashableKey(unhashable);
    let slot = this.#slot(key);
    if (slot instanceof Double && Object.is(slot.value, 0) !== Object.is((key as Double).value, 0)) {
      this.#entries.delete(slot); // 0.0 and -0.0 are one key, and the later one is shown
      slot = undefined;
    }
    this.#entries.set(slot === undefined ? this.#newSlot(key) : slot, value);
    return undefined;
  }

  /** Sets an entry as the specification has it: keys of a few types only, and none that can be found already. */
  add(key: Value, value: Value): CelError | undefined {
    const refused = checkMapKey(key);
    if (refused !== undefined) return refused;
    if (this.find(key) !== undefined) return new CelError("invalid_argument", `repeated key: ${formatValue(key)}`);
    return this.set(key, value);
  }

  delete(key: Value): void {
    const slot = this.#slot(key);
    if (slot !== undefined) this.#entries.delete(slot);
  }

  /** `cel.@mapInsert`: sets an entry in place and answers this map; a key that can be found already is an error. */
  insert(key: Value, value: Value): CelMap | CelError {
    const present = this.find(key);
    if (present instanceof CelError) return present;
    if (present !== undefined) {
      return new CelError("invalid_argument", `insert failed: key ${formatValue(key)} already exists`);
    }
    return this.set(key, value) ?? this;
  }

  /** The same for all entries of a map; the first that is refused ends it. */
  insertAll(map: AnyMap): CelError | undefined {
    for (const [key, value] of mapEntries(map)) {
      growBy(ENTRY_GROWTH);
      const result = value instanceof CelError ? value : this.insert(key, value);
      if (result instanceof CelError) return result;
    }
    return undefined;
  }

  /** A copy to insert into. */
  copy(): CelMap {
    const map = new CelMap();
    for (const [key, value] of this.#entries) map.set(key, value);
    return map;
  }

  /** The slot in which `key` is stored; undefined for a boxed key that has not been seen (and for NaN, which equals nothing). */
  #slot(key: Value): Value | undefined {
    if (typeof key === "number") return Number.isNaN(key) ? undefined : key;
    if (typeof key === "bigint") return toInt(key);
    if (typeof key !== "object" || key === null) return key;
    if (key instanceof Uint) return this.#uints?.get(key.value);
    if (key instanceof Double) return Number.isNaN(key.value) ? undefined : this.#doubles?.get(key.value);
    const text = identityText(key);
    return text === undefined ? key : this.#others?.get(text);
  }

  #newSlot(key: Value): Value {
    if (typeof key === "number") return new Double(key);
    if (key instanceof Uint) {
      this.#uints ??= new Map();
      this.#uints.set(key.value, key);
    } else if (key instanceof Double) {
      this.#doubles ??= new Map();
      if (!Number.isNaN(key.value)) this.#doubles.set(key.value, key);
    } else {
      this.#others ??= new Map();
      this.#others.set(identityText(key as object) as string, key);
    }
    return key;
  }

  #findUint(value: Int): Value | undefined {
    const slot = this.#uints?.get(value);
    return slot === undefined ? undefined : this.#entries.get(slot);
  }

  #findIntegral(value: number): Value | undefined {
    if (!Number.isInteger(value)) return undefined;
    const int = Number.isSafeInteger(value) ? value + 0 : toInt(BigInt(value));
    return this.#entries.get(int) ?? this.#findUint(int);
  }
}

/** The Go type of a value that Go cannot hash, and so panics at as a key: bytes, and library values with a slice in them. */
export function unhashableType(key: Value): string | undefined {
  if (typeof key !== "object") return undefined;
  if (key instanceof Uint8Array) return "types.Bytes";
  return key instanceof Opaque && !key.hashable ? (key.goType ?? key.type.name) : undefined;
}

export const unhashableKey = (goType: string): Panic => new Panic(`runtime error: hash of unhashable type ${goType}`);

/** NaN keys are filed as boxes, each its own entry. */
const plainKey = (key: Value): Value => (key instanceof Double && Number.isNaN(key.value) ? Number.NaN : key);

/** Times and some library values are the same key when they are the same value; other objects only when they are the same object. */
function identityText(key: object): string | undefined {
  if (key instanceof Timestamp) return `t${key.seconds}.${key.nanos}/${key.offsetMinutes}`;
  if (key instanceof Duration) return `d${key.seconds}.${key.nanos}`;
  return key instanceof Opaque ? key.keyText : undefined;
}

/** A copy as a key that equals no other: for an object or list of data, or a library's value without a text form. */
export function apartKey(key: Value): Value {
  if (Array.isArray(key)) return [...key];
  if (isPlainObject(key)) return { ...key };
  if (!(key instanceof Opaque) || key.keyText !== undefined) return key;
  return Object.assign(Object.create(Object.getPrototypeOf(key) as object), key) as Opaque;
}

/** The specification's rule for map keys, which the reference does not enforce at run time. */
export function checkMapKey(key: Value): CelError | undefined {
  const allowed =
    typeof key === "string" ||
    typeof key === "boolean" ||
    typeof key === "bigint" ||
    key instanceof Uint ||
    (typeof key === "number" && Number.isSafeInteger(key));
  return allowed ? undefined : new CelError("invalid_argument", `unsupported key type: ${typeName(key)}`);
}

/** Keys with their values; values under NaN are found only this way. */
export function* mapEntries(map: AnyMap): Generator<CelMapEntry> {
  if (map instanceof CelMap) yield* map.entries();
  else
    for (const key of mapKeys(map)) {
      const value = mapFind(map, key);
      yield [key, value === undefined ? noSuchKey(formatValue(key)) : value];
    }
}
