// Objects and maps of a schema as CEL values: a view of the data, never a copy. Values read from one are converted then, so a property of
// the wrong type matters only when it is read.

import { deepEqual, own } from "@celadon/base";
import { type CelError, isError, MapValue, Opaque, Type, type Value } from "@celadon/cel";
import { type AnyMap, isMap, mapFind, mapSize, noSuchOverload, ownKeysOf } from "@celadon/cel/values";
import { escapeName, unescapeName } from "./escape.ts";
import { dataOf } from "./go-data.ts";
import { type Part, sameValue } from "./part.ts";

/** Converts properties of an object to values. */
export interface ObjectShape {
  /** An object with declared properties: names are escaped, null means absent, other properties are invisible. */
  readonly declared: boolean;
  /** The known facts about a property; undefined when nothing is. */
  part(property: string): Part | undefined;
}

export class SchemaObject extends MapValue {
  override readonly data: Readonly<Record<string, unknown>>;
  readonly shape: ObjectShape;

  constructor(data: Readonly<Record<string, unknown>>, shape: ObjectShape) {
    super();
    this.data = data;
    this.shape = shape;
  }

  /** The size of the data, invisible properties included. */
  override get size(): number {
    return mapSize(this.data);
  }

  override find(key: Value): Value | CelError | undefined {
    if (typeof key !== "string") return isError(key) ? key : noSuchOverload();
    const name = this.shape.declared ? unescapeName(key) : key;
    if (name === undefined) return undefined;
    const data = own(this.data, name);
    if (data === undefined || (data === null && this.shape.declared)) return undefined;
    return this.shape.part(name)?.toValue(data);
  }

  /** The visible keys, as they are written in expressions. */
  override *keys(): Generator<string> {
    const { shape } = this;
    for (const key of ownKeysOf(this.data)) {
      if (this.data[key] === undefined || shape.part(key) === undefined) continue;
      yield shape.declared ? (escapeName(key) ?? key) : key;
    }
  }

  /**
   * Two objects are equal if they have equally many properties and their common properties are equal. Invisible properties are compared
   * only if both have them, so that different ones may go unnoticed.
   */
  override equals(other: Value): boolean | CelError {
    if (!isMap(other)) return isError(other) ? other : noSuchOverload();
    if (other instanceof SchemaObject && other.shape === this.shape)
      return sameObjects(this.data, other.data, this.shape);
    if (this.size !== mapSize(other)) return false;
    for (const key of ownKeysOf(this.data)) {
      if (this.data[key] === undefined) continue;
      const same = this.shape.part(key) ? sameVisible(this, other, key) : sameInvisible(this, other, key);
      if (same !== true) return same;
    }
    return true;
  }
}

/** Looked up by name on both sides, which finds nothing for names that only look escaped: those are never compared. */
function sameVisible(object: SchemaObject, other: AnyMap, key: string): boolean | CelError {
  const mine = object.find(key);
  const theirs = mapFind(other, key);
  if (mine === undefined || theirs === undefined) return mine === theirs;
  return sameValue(mine, theirs);
}

function sameInvisible(object: SchemaObject, other: AnyMap, key: string): boolean | CelError {
  if (!(other instanceof SchemaObject)) return noSuchOverload();
  const theirs = own(other.data, key);
  return theirs === undefined || deepEqual(object.data[key], theirs);
}

type Data = Readonly<Record<string, unknown>>;

/** The same for data of one schema, without making values of it. */
export function sameObjects(a: Data, b: Data, shape: ObjectShape): boolean | CelError {
  const keys = ownKeysOf(a);
  if (keys.length !== ownKeysOf(b).length) return sameCounted(a, b, shape);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const mine = a[key];
    const theirs = own(b, key);
    if (mine === undefined || theirs === undefined) return sameCounted(a, b, shape);
    const same = sameProperty(key, mine, theirs, shape);
    if (same !== true) return same;
  }
  return true;
}

/** For objects with different keys: an undefined property is an absent one and does not count. */
function sameCounted(a: Data, b: Data, shape: ObjectShape): boolean | CelError {
  if (mapSize(a) !== mapSize(b)) return false;
  for (const key of ownKeysOf(a)) {
    const mine = a[key];
    const same = mine === undefined || sameProperty(key, mine, own(b, key), shape);
    if (same !== true) return same;
  }
  return true;
}

function sameProperty(key: string, mine: unknown, theirs: unknown, shape: ObjectShape): boolean | CelError {
  const known = shape.part(key);
  if (known === undefined) return theirs === undefined || deepEqual(mine, theirs);
  if (!shape.declared) return theirs !== undefined && known.same(mine, theirs);
  if (key.includes("__") && unescapeName(key) !== key) return true;
  const absent = mine === null;
  if (absent || theirs === undefined || theirs === null) return absent === (theirs === undefined || theirs === null);
  return known.same(mine, theirs);
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

  override throughHost(): Value {
    return this.data;
  }

  override equals(other: Value): boolean {
    return deepEqual(this.data, other instanceof PreservedValue ? other.data : dataOf(other));
  }
}
