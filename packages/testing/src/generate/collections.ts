// Lists and maps: how many elements to try, which keys, and elements that may not be the same twice.

import { isRecord, own } from "@celadon/base";
import { type RefinedSchema, refine } from "@celadon/kube/facts";
import type { Schema } from "@celadon/kube/schemas";
import type { Focus } from "./focus.ts";
import { numberFits } from "./numbers.ts";
import { regexOf } from "./pattern-samples.ts";
import { jsonKey, withMember } from "./plain.ts";
import { remembered } from "./remembered.ts";
import { checkOf, textCandidates } from "./texts.ts";

/** The number of elements for "many" if the schema sets no limit, and the greatest number if it does. */
const MANY = 1000;
const MOST = 20_000;

/** The ordinary size first, the largest last. */
export function listSizes(schema: Schema, focus: Focus | undefined, everything: boolean): readonly number[] {
  const { minItems: min = 0, maxItems: max = Infinity } = schema;
  if (focus === undefined) return [everything ? Math.min(max, Math.max(min, 1)) : min];
  return sizesWithin(min, max, focus, [1, 0, 2, min]);
}

/** Members beyond those that are read by name. */
export function mapSizes(schema: Schema, focus: Focus | undefined, everything: boolean): readonly number[] {
  const { minProperties: min = 0, maxProperties: max = Infinity } = schema;
  if (focus === undefined) return [everything ? Math.min(max, Math.max(min, 1)) : min];
  if (focus.itemsIfRead === undefined && focus.children.size > 0) return [0, Math.min(1, max)];
  return sizesWithin(min, max, focus, [1, 0, 2, min]);
}

function sizesWithin(min: number, max: number, focus: Focus, ordinary: readonly number[]): readonly number[] {
  const read = [...focus.sizes].flatMap((n) => [n, n + 1, n - 1]);
  const many = Math.min(max === Infinity ? MANY : max, MOST);
  const sizes = [...ordinary, ...read.filter((n) => n <= many), many].filter((n) => n >= min && n <= max);
  return sizes.length === 0 ? [min] : [...new Set(sizes.slice(0, -1)), ...sizes.slice(-1)];
}

export interface MapKeys {
  accepts(key: string): boolean;
  /** This many keys, beginning with the one of that number. */
  keys(count: number, start: number): readonly string[];
  /** The number of keys worth beginning with. */
  readonly starts: number;
}

const ODD_KEYS: readonly string[] = ["__proto__", "", "a/b", "constructor", "ключ", "a.b"];

export const mapKeys: (schema: RefinedSchema, focus: Focus | undefined) => MapKeys = remembered(keysOf);

function keysOf(schema: RefinedSchema, focus: Focus | undefined): MapKeys {
  const { keyPattern, keyMaxLength = Infinity } = schema;
  const regex = keyPattern === undefined ? undefined : regexOf(keyPattern);
  const accepts = (key: string): boolean => {
    const name = key.slice(key.lastIndexOf("/") + 1);
    return (regex === undefined || regex.test(key)) && (keyPattern === undefined || name.length <= keyMaxLength);
  };
  const read = [...(focus?.itemsIfRead?.texts ?? [])].flatMap((text) => [text, `${text}a`, text.slice(0, -1)]);
  const interesting = ["k", ...new Set([...read, ...ODD_KEYS])].filter(accepts);
  return {
    accepts,
    starts: interesting.length,
    keys: (count, start) => {
      const first = interesting.slice(start, start + count);
      return [...first, ...Array.from({ length: Math.max(0, count - first.length) }, (_, i) => `k${i}`)];
    },
  };
}

/** An element changed where it would be the same as one before; undefined when that cannot be done. */
export function vary(
  schema: RefinedSchema,
  element: unknown,
  index: number,
  seen: Set<string>,
): { readonly value: unknown } | undefined {
  const { listType, listMapKeys = [], uniqueItems, items = {} } = schema;
  if (listType !== "set" && listType !== "map" && !uniqueItems) return { value: element };
  for (let i = 0; i < 50; i++) {
    const value = i === 0 ? element : varied(schema, items, element, index + i - 1);
    const key = identity(value, listType, listMapKeys);
    if (seen.has(key)) continue;
    seen.add(key);
    return { value };
  }
  return undefined;
}

/** Elements of long lists differ: expressions that look for pairs would end at the first one otherwise. */
export function spread(items: Schema, element: unknown, index: number): unknown {
  if (index === 0) return element;
  if (!isRecord(element)) return another(items, element, index) ?? element;
  const { properties, least = {}, embeddedResource } = refine(items);
  if (embeddedResource) return element;
  for (const [key, schema] of properties ?? []) {
    const value = own(element, key);
    if (typeof value !== "string" || Object.hasOwn(least, key)) continue;
    const other = another(schema, value, index);
    if (other !== undefined) return withMember(element, key, other);
  }
  return element;
}

/** The part of an element that may occur only once. */
export function identity(value: unknown, listType: string | undefined, keys: readonly string[]): string {
  if (listType !== "map" || !isRecord(value)) return jsonKey(value);
  return jsonKey(keys.map((key) => own(value, key) ?? null));
}

function varied({ listType, listMapKeys = [] }: RefinedSchema, items: Schema, element: unknown, n: number): unknown {
  if (listType === "map" && isRecord(element)) {
    for (const key of listMapKeys) {
      const schema = refine(items).properties?.get(key) ?? {};
      const value = another(schema, own(element, key), n);
      if (value !== undefined) return withMember({ [key]: null, ...element }, key, value);
    }
    return element;
  }
  return another(items, element, n) ?? element;
}

function another(schema: Schema, value: unknown, n: number): unknown {
  if (schema.enum !== undefined) return schema.enum[n % schema.enum.length];
  if (typeof value === "string" || (value === undefined && schema.type === "string")) {
    const text = value ?? "a";
    if (schema.format !== undefined) {
      const candidates = textCandidates(schema, undefined);
      return candidates[n % candidates.length];
    }
    const fits = checkOf(schema);
    return [`${text}${n}`, `${text.slice(0, -1 - String(n).length)}${n}`, `${text.slice(0, -1)}${letters(n)}`].find(
      fits,
    );
  }
  if (typeof value === "number") {
    const limits = schema.type === undefined ? { ...schema, format: "int32" } : schema;
    return [value + n, value - n].find((item) => numberFits(limits, item));
  }
  return undefined;
}

function letters(n: number): string {
  return [...n.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join("");
}
