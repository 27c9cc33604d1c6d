// A new value beside the old value it continues, and whether the two are equal. Items of keyed lists correspond to the old item with the
// same key, properties and map values to the one of the same name; items of other lists have no old value. Upstream: apiserver
// pkg/cel/common/equality.go, maplist.go.

import { deepEqual, isRecord, type JsonObject, quoteGo } from "@celadon/base";
import { isInteger, numberOf } from "../json.ts";
import { type JsonSchema, propertyOf, valuesOf } from "../schema/json-schema.ts";

export class Correlation {
  readonly value: unknown;
  readonly old: unknown;
  readonly schema: JsonSchema;
  private isEqual: boolean | undefined;
  private children: Map<string | number, Correlation | undefined> | undefined;
  private oldItems: KeyedItems | undefined;

  constructor(value: unknown, old: unknown, schema: JsonSchema) {
    this.value = value;
    this.old = old;
    this.schema = schema;
  }

  /** The member of that name; undefined when it continues nothing or has no schema. */
  key(name: string): Correlation | undefined {
    const { children } = this;
    if (children?.has(name)) return children.get(name);
    const { value, old } = this;
    if (!isRecord(value) || !isRecord(old) || !Object.hasOwn(value, name) || !Object.hasOwn(old, name))
      return undefined;
    const schema = propertyOf(this.schema, name) ?? valuesOf(this.schema);
    return this.remember(name, schema && new Correlation(value[name], old[name], schema));
  }

  index(i: number): Correlation | undefined {
    const { children } = this;
    if (children?.has(i)) return children.get(i);
    const { value, old, schema } = this;
    if (schema["x-kubernetes-list-type"] !== "map" || !Array.isArray(value) || !Array.isArray(old)) return undefined;
    if (i >= value.length || !schema.items) return undefined;
    this.oldItems ??= new KeyedItems(old, schema);
    const before = this.oldItems.find(value[i]);
    return this.remember(i, before === undefined ? undefined : new Correlation(value[i], before, schema.items));
  }

  private remember(key: string | number, child: Correlation | undefined): Correlation | undefined {
    this.children ??= new Map();
    this.children.set(key, child);
    return child;
  }

  /** Deeply equal, member by member as far as the schema knows them; an unknown member makes it unequal. */
  equal(): boolean {
    this.isEqual ??= this.compare();
    return this.isEqual;
  }

  private compare(): boolean {
    const { value, old } = this;
    const absent = value === null || value === undefined;
    const wasAbsent = old === null || old === undefined;
    if (absent || wasAbsent) return absent && wasAbsent;
    if (Array.isArray(value)) return Array.isArray(old) && this.compareLists(value, old);
    if (!isRecord(value)) return !isRecord(old) && !Array.isArray(old) && deepEqual(value, old);
    if (!isRecord(old)) return false;
    const names = Object.keys(value);
    return names.length === Object.keys(old).length && names.every((name) => this.key(name)?.equal() === true);
  }

  private compareLists(value: readonly unknown[], old: readonly unknown[]): boolean {
    if (value.length !== old.length) return false;
    if (this.schema["x-kubernetes-list-type"] !== "map" || !this.schema.items) return deepEqual(value, old);
    return value.every((_, i) => this.index(i)?.equal() === true);
  }
}

/** Items of a keyed list by their keys; the first of several with the same. */
export class KeyedItems {
  private readonly byKey = new Map<unknown, unknown>();
  private readonly keys: readonly string[];

  constructor(items: readonly unknown[], schema: JsonSchema) {
    this.keys = schema["x-kubernetes-list-map-keys"] ?? [];
    for (const item of items) {
      const key = this.keyOf(item);
      if (key !== undefined && !this.byKey.has(key)) this.byKey.set(key, item);
    }
  }

  /** The old item with the keys of this one; undefined if it lacks a key or no old item has it. */
  find(item: unknown): unknown {
    const key = this.keyOf(item);
    return key === undefined ? undefined : this.byKey.get(key);
  }

  private keyOf(item: unknown): string | undefined {
    if (!isRecord(item)) return undefined;
    let key = "";
    for (const name of this.keys) {
      const part = keyPart(item, name, this.keys.length === 1);
      if (part === undefined) return undefined;
      key += `\0${part}`;
    }
    return key;
  }
}

/** A float is distinguished from others in full where it is the only key, and by six decimals among several. */
function keyPart(item: JsonObject, name: string, alone: boolean): string | undefined {
  const value = Object.hasOwn(item, name) ? item[name] : undefined;
  if (typeof value === "string") return quoteGo(value);
  if (typeof value === "boolean") return String(value);
  if (isInteger(value)) return String(value);
  const n = numberOf(value);
  if (Number.isNaN(n)) return undefined;
  return alone ? `${n}f` : n.toFixed(6);
}
