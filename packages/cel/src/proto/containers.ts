// Repeated fields, map fields and JSON values as CEL lists and maps: views that convert an element when it is read, over the
// arrays and objects that the message already holds.

import { ScalarType } from "@bufbuild/protobuf";
import type { CelError } from "../value/error.ts";
import type { Int } from "../value/type.ts";
import { Double, ListValue, MapValue, Uint, type Value } from "../value/value.ts";

export type Convert = (raw: unknown) => Value | CelError;

/** A list whose elements are converted on reading. */
export class ViewList extends ListValue {
  readonly #items: readonly unknown[];
  readonly #convert: Convert;
  constructor(items: readonly unknown[], convert: Convert) {
    super();
    this.#items = items;
    this.#convert = convert;
  }
  override get size(): number {
    return this.#items.length;
  }
  override get(index: number): Value | CelError {
    return this.#convert(this.#items[index]);
  }
}

/** A map over an object whose property names are the keys' texts. */
export class ViewMap extends MapValue {
  readonly #entries: Readonly<Record<string, unknown>>;
  readonly #key: ScalarType;
  readonly #convert: Convert;
  #names: readonly string[] | undefined;
  constructor(entries: Readonly<Record<string, unknown>>, key: ScalarType, convert: Convert) {
    super();
    this.#entries = entries;
    this.#key = key;
    this.#convert = convert;
  }
  override get size(): number {
    return this.#list().length;
  }
  override find(key: Value): Value | CelError | undefined {
    const name = keyName(key, this.#key);
    if (name === undefined || !Object.hasOwn(this.#entries, name)) return undefined;
    return this.#convert(this.#entries[name]);
  }
  override *keys(): Iterable<Value> {
    for (const name of this.#list()) yield readKey(name, this.#key);
  }
  #list(): readonly string[] {
    this.#names ??= Object.keys(this.#entries);
    return this.#names;
  }
}

const UNSIGNED: ReadonlySet<ScalarType> = new Set([
  ScalarType.UINT32,
  ScalarType.UINT64,
  ScalarType.FIXED32,
  ScalarType.FIXED64,
]);

/** The property a CEL key is kept under, undefined when it cannot be a key of that type. Numbers find each other. */
function keyName(key: Value, type: ScalarType): string | undefined {
  if (type === ScalarType.STRING) return typeof key === "string" ? key : undefined;
  if (type === ScalarType.BOOL) return typeof key === "boolean" ? String(key) : undefined;
  if (key instanceof Uint || key instanceof Double) return integerName(key.value);
  return typeof key === "number" || typeof key === "bigint" ? integerName(key) : undefined;
}

function integerName(value: Int): string | undefined {
  if (typeof value === "bigint") return String(value);
  return Number.isInteger(value) ? String(BigInt(value)) : undefined;
}

/** A property name as a key of a map field. */
export function readKey(name: string, type: ScalarType): Value {
  if (type === ScalarType.STRING) return name;
  if (type === ScalarType.BOOL) return name === "true";
  const number = Number(name);
  const int = Number.isSafeInteger(number) ? number : BigInt(name);
  return UNSIGNED.has(type) ? new Uint(int) : int;
}
