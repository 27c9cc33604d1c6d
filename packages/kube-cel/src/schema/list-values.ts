// Lists of a schema as CEL values: views of the data that convert an element when it is read. The list type decides what
// `==` and `+` mean: in order and appending, as a set, or by the keys of the elements. It is the left operand's that counts.

import { isRecord, own } from "@celadon/base";
import { CelError, isError, ListValue, type Value } from "@celadon/cel";
import { formatValue, isList, type List, listGet, listSize, noSuchOverload } from "@celadon/cel/values";
import { dataOf, goTypeOf, keyText, unhashable } from "./go-data.ts";
import { type Part, sameValue } from "./part.ts";

/** A list whose order counts: list type `atomic`, or none. */
export class SchemaList extends ListValue {
  override readonly data: readonly unknown[];
  readonly part: Part;

  constructor(data: readonly unknown[], part: Part) {
    super();
    this.data = data;
    this.part = part;
  }

  override get size(): number {
    return this.data.length;
  }

  /** Only ints are indexes of such a list; uints and doubles are refused, though other lists take them. */
  override get(index: number, key?: Value): Value | CelError {
    if (typeof key === "object") return new CelError("invalid_argument", `unsupported index: ${formatValue(key)}`);
    return this.part.toValue(this.data[index]);
  }

  override equals(other: Value): boolean | CelError {
    if (!isList(other)) return notAList(other);
    if (this.size !== listSize(other)) return false;
    if (other instanceof SchemaList && other.part === this.part) return sameElements(this.data, other.data, this.part);
    for (let i = 0; i < this.size; i++) {
      const same = sameValue(this.get(i), listGet(other, i));
      if (same !== true) return same;
    }
    return true;
  }

  override concat(other: Value): Value | CelError {
    return isList(other) ? new SchemaList([...this.data, ...elementsOf(other)], this.part) : notAList(other);
  }

  /** An element that cannot be compared makes the answer an error, unless another one is equal. */
  override contains(elem: Value): boolean | CelError {
    let failure: CelError | undefined;
    for (let i = 0; i < this.size; i++) {
      const same = sameValue(this.get(i), elem);
      if (same === true) return true;
      if (same !== false) failure ??= same;
    }
    return failure ?? false;
  }
}

/**
 * List type `set`. Elements are compared as data: an element of the other list counts in its converted form, so a set of dates never equals
 * itself.
 */
export class SchemaSet extends SchemaList {
  override equals(other: Value): boolean | CelError {
    if (!isList(other)) return notAList(other);
    if (this.size !== listSize(other)) return false;
    if (this.size <= FEW && isText(this) && other instanceof SchemaList && isText(other))
      return includesAll(this.data, other.data);
    const set = new Set(this.data.map(hashed));
    for (const element of elementsOf(other)) if (!set.has(hashed(element))) return false;
    return true;
  }

  /** The union: elements of the other list that are new are appended. */
  override concat(other: Value): Value | CelError {
    if (!isList(other)) return notAList(other);
    const set = new Set(this.data.map(hashed));
    const union = [...this.data];
    for (const element of elementsOf(other)) {
      const key = hashed(element);
      if (set.has(key)) continue;
      set.add(key);
      union.push(element);
    }
    return new SchemaSet(union, this.part);
  }
}

/**
 * List type `map`. Keys are looked up under their escaped names, as upstream does: a key such as `my-key` is never found, and
 * all elements then have the same one.
 */
export class SchemaMapList extends SchemaList {
  readonly keys: readonly string[];

  constructor(data: readonly unknown[], part: Part, escapedKeys: readonly string[]) {
    super(data, part);
    this.keys = escapedKeys;
  }

  override equals(other: Value): boolean | CelError {
    if (!isList(other)) return notAList(other);
    if (this.size !== listSize(other)) return false;
    const positions = this.#positions();
    const theirs = other instanceof SchemaList && other.part === this.part ? other.data : undefined;
    for (let i = 0; i < this.size; i++) {
      const element = theirs ? undefined : listGet(other, i);
      const key = elementKey(theirs ? theirs[i] : dataOf(element), this.keys);
      const position = key === undefined ? undefined : positions.get(key);
      if (position === undefined) return false;
      const same = theirs ? this.part.same(this.data[position], theirs[i]) : sameValue(this.get(position), element);
      if (same !== true) return same;
    }
    return true;
  }

  /** The merge: elements of the other list replace those with the same key in place, the rest is appended. */
  override concat(other: Value): Value | CelError {
    if (!isList(other)) return notAList(other);
    const positions = this.#positions();
    const merged = [...this.data];
    for (const element of elementsOf(other)) {
      const key = elementKey(element, this.keys);
      const position = key === undefined ? undefined : positions.get(key);
      if (position === undefined) merged.push(element);
      else merged[position] = element;
    }
    return new SchemaMapList(merged, this.part, this.keys);
  }

  /** The position of the element with each key; the last one counts. */
  #positions(): Map<string, number> {
    const positions = new Map<string, number>();
    for (let i = 0; i < this.size; i++) {
      const key = elementKey(this.data[i], this.keys);
      if (key !== undefined) positions.set(key, i);
    }
    return positions;
  }
}

/** Lists of one schema and length, in order. */
export function sameElements(a: readonly unknown[], b: readonly unknown[], part: Part): boolean | CelError {
  for (let i = 0; i < a.length; i++) {
    const same = part.same(a[i], b[i]);
    if (same !== true) return same;
  }
  return true;
}

/** Elements that are looked for one by one sooner than a set of them is made. */
const FEW = 12;

/** Whether all elements are texts without conversion. */
function isText({ data, part }: SchemaList): boolean {
  if (part.asIs?.[0] !== "string") return false;
  for (let i = 0; i < data.length; i++) if (typeof data[i] !== "string") return false;
  return true;
}

function includesAll(list: readonly unknown[], elements: readonly unknown[]): boolean {
  for (let i = 0; i < elements.length; i++) if (!list.includes(elements[i])) return false;
  return true;
}

const notAList = (other: Value): CelError => (isError(other) ? other : noSuchOverload());

function* elementsOf(list: List): Generator<unknown> {
  const size = listSize(list);
  for (let i = 0; i < size; i++) yield dataOf(listGet(list, i));
}

/** Data as a key. Go panics over an unhashable value: the whole evaluation ends then, with Go's own words. */
function hashed(data: unknown): string {
  const complaint = typeof data === "object" ? unhashable(data) : undefined;
  if (complaint !== undefined) throw new Error(complaint);
  return keyText(data);
}

/** The key of an element of a list of type `map`; undefined for a value that is no object, which no element equals. */
function elementKey(data: unknown, keys: readonly string[]): string | undefined {
  if (!isRecord(data)) return undefined;
  if (keys.length === 1) return hashed(own(data, keys[0] as string));
  const values = keys.map((key) => own(data, key));
  return keys.length > 3 ? `[${values.map(goText).join(" ")}]` : JSON.stringify(values.map(hashed));
}

/** The text that Go's `%v` prints: four keys or more are compared as text. */
function goText(data: unknown): string {
  if (data === undefined || data === null) return "<nil>";
  if (typeof data === "string") return data;
  return goTypeOf(data) === "map[string]interface {}" ? JSON.stringify(data) : formatValue(data);
}
