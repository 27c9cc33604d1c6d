// Objects and maps of a schema as CEL values: a view of the data, never a copy. What is read from one is converted then, so a
// property of the wrong type matters only when it is looked at.

import { type CelError, isError, MapValue, Opaque, Type, type Value } from "@celadon/cel";
import { isMap, mapFind, mapSize, noSuchOverload } from "@celadon/cel/extend";
import { dataEqual, dataOf, ownValue } from "./go-data.ts";
import { escapeName, unescapeName } from "./escape.ts";
import { sameValue } from "./same-value.ts";

/** How properties of an object become values. */
export interface ObjectShape {
  /** An object with declared properties: names are escaped, null means absent, other properties are invisible. */
  readonly declared: boolean;
  /** Converts a property; undefined when nothing is known of it. */
  reader(property: string): ((data: unknown) => Value | CelError) | undefined;
}

export class SchemaObject extends MapValue {
  readonly data: Readonly<Record<string, unknown>>;
  readonly shape: ObjectShape;

  constructor(data: Readonly<Record<string, unknown>>, shape: ObjectShape) {
    super();
    this.data = data;
    this.shape = shape;
  }

  /** Of the data, invisible properties included. */
  override get size(): number {
    return mapSize(this.data);
  }

  override find(key: Value): Value | CelError | undefined {
    if (typeof key !== "string") return isError(key) ? key : noSuchOverload();
    const name = this.shape.declared ? unescapeName(key) : key;
    if (name === undefined) return undefined;
    const data = ownValue(this.data, name);
    if (data === undefined || (data === null && this.shape.declared)) return undefined;
    return this.shape.reader(name)?.(data);
  }

  /** The visible keys, as they are written in expressions. */
  override *keys(): Generator<string> {
    const { shape } = this;
    for (const key of Object.keys(this.data)) {
      if (this.data[key] === undefined || shape.reader(key) === undefined) continue;
      yield shape.declared ? (escapeName(key) ?? key) : key;
    }
  }

  /**
   * As many properties as the other, and what both have is the same. Of invisible properties only those are compared that
   * both have, so that different ones may go unnoticed.
   */
  override equals(other: Value): boolean | CelError {
    if (!isMap(other)) return isError(other) ? other : noSuchOverload();
    if (this.size !== mapSize(other)) return false;
    for (const key of Object.keys(this.data)) {
      if (this.data[key] === undefined) continue;
      const same = this.shape.reader(key) ? this.#sameVisible(key, other) : this.#sameInvisible(key, other);
      if (same !== true) return same;
    }
    return true;
  }

  /** Looked up by name on both sides, which finds nothing for names that only look escaped: those are never compared. */
  #sameVisible(key: string, other: Exclude<Parameters<typeof mapFind>[0], never>): boolean | CelError {
    const mine = this.find(key);
    const theirs = mapFind(other, key);
    if (mine === undefined || theirs === undefined) return mine === theirs;
    return sameValue(mine, theirs);
  }

  #sameInvisible(key: string, other: Value): boolean | CelError {
    if (!(other instanceof SchemaObject)) return noSuchOverload();
    const theirs = ownValue(other.data, key);
    return theirs === undefined || dataEqual(this.data[key], theirs);
  }
}

const UNKNOWN: Type = new Type("opaque", "unknown");

/** Data that a schema preserves without a word about its type. Expressions never see it; it takes part in equality. */
export class PreservedValue extends Opaque {
  readonly type: Type = UNKNOWN;
  readonly data: unknown;

  constructor(data: unknown) {
    super();
    this.data = data;
  }

  override equals(other: Value): boolean {
    return dataEqual(this.data, other instanceof PreservedValue ? other.data : dataOf(other));
  }
}
