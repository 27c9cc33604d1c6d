// One step of a path: a field by name, a list item by its keys, by its value or by its index. A step is the text that FieldsV1
// has for it, in one canonical form, so that equal steps are equal strings: `f:spec`, `k:{"name":"a"}`, `v:"x"`, `i:0`.
// Upstream: structured-merge-diff fieldpath/element.go, serialize-pe.go.

import { compareStrings, formatGoJson, quoteGo, quoteJson, thrownText } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import { compareValues, ForeignValue, isMap, valueText } from "../value/value.ts";

/** One step to a field: a name, an index, a key or a value. */
export type PathElement = string;
/** Steps to a field. */
export type Path = readonly PathElement[];

export type KeyField = readonly [name: string, value: unknown];

/** Names of fields and keys are few, and occur in every object; the cache is bounded because users choose some. */
const KEPT_NAMES = 4096;
const KEPT_LENGTH = 64;
const fieldElements = new Map<string, PathElement>();

/** The step to a field of that name. */
export function fieldElement(name: string): PathElement {
  let element = fieldElements.get(name);
  if (element === undefined) {
    element = `f:${name}`;
    if (fieldElements.size < KEPT_NAMES && name.length < KEPT_LENGTH) fieldElements.set(name, element);
  }
  return element;
}

/** An item of a list by the fields that are its keys. */
export function keyElement(fields: readonly KeyField[]): PathElement {
  const sorted = fields.length < 2 ? fields : [...fields].sort(([a], [b]) => compareStrings(a, b));
  return keyElementOf(sorted.map(([name, value]) => keyFieldText(name, value)).join(","));
}

/** The same of fields that are written already, in the order of their names. */
export function keyElementOf(fields: string): PathElement {
  return `k:{${fields}}`;
}

const keyNames = new Map<string, string>();

export function keyFieldText(name: string, value: unknown): string {
  let written = keyNames.get(name);
  if (written === undefined) {
    written = JSON.stringify(name);
    if (keyNames.size < KEPT_NAMES) keyNames.set(name, written);
  }
  return `${written}:${typeof value === "string" ? quoteJson(value) : formatGoJson(value)}`;
}

/** An item that JSON has no form for; only errors name one. */
const FOREIGN_ELEMENT = "v:{{undefined}}" as PathElement;

export function valueElement(value: unknown): PathElement {
  if (value instanceof ForeignValue) return FOREIGN_ELEMENT;
  return `v:${formatGoJson(value)}`;
}

export function indexElement(index: number): PathElement {
  return `i:${index}`;
}

/** The name of a field's step. */
export function fieldName(element: PathElement): string | undefined {
  return element.startsWith("f:") ? element.slice(2) : undefined;
}

/** A step in the form of FieldsV1; undefined if this version does not know its kind. */
export function readElement(text: string): PathElement | Invalid | undefined {
  const length = text.length;
  if (length < 2) return new Invalid("key must be 2 characters long:");
  if (text[1] !== ":") return new Invalid(`missing colon: ${text}`);
  switch (text[0]) {
    case "f":
      return text;
    case "v":
    case "k":
      return canonical(text);
    case "i":
      if (!/^[+-]?\d+$/.test(text.slice(2))) {
        return new Invalid(`strconv.Atoi: parsing ${quoteGo(text.slice(2))}: invalid syntax`);
      }
      return indexElement(Number(text.slice(2)));
    default:
      return undefined;
  }
}

function canonical(text: string): PathElement | Invalid {
  let value: unknown;
  try {
    value = JSON.parse(text.slice(2));
  } catch (thrown) {
    return new Invalid(thrownText(thrown));
  }
  if (text[0] === "v") return valueElement(value);
  return isMap(value) ? keyElement(Object.entries(value)) : new Invalid(`expected an object of keys: ${text}`);
}

interface Parsed {
  readonly rank: number;
  readonly fields: readonly KeyField[];
  readonly value: unknown;
}

const RANKS: Readonly<Record<string, number>> = { f: 0, k: 1, v: 2, i: 3 };

function parse(element: PathElement): Parsed {
  const rank = RANKS[element[0]!] ?? 4;
  if (rank === 0) return { rank, fields: [], value: element.slice(2) };
  const value: unknown = rank === 3 ? Number(element.slice(2)) : JSON.parse(element.slice(2));
  return {
    rank,
    fields: rank === 1 ? Object.entries(value as object).sort(([a], [b]) => compareStrings(a, b)) : [],
    value,
  };
}

/** Fields first, then keys, values and indices; each by content, not by text. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  if (a.startsWith("f:") && b.startsWith("f:")) return compareStrings(a, b);
  const [left, right] = [parse(a), parse(b)];
  if (left.rank !== right.rank) return left.rank - right.rank;
  if (left.rank !== 1) return compareValues(left.value, right.value);
  for (let i = 0; i < left.fields.length && i < right.fields.length; i++) {
    const [[leftName, leftValue], [rightName, rightValue]] = [left.fields[i]!, right.fields[i]!];
    const order = compareStrings(leftName, rightName) || compareValues(leftValue, rightValue);
    if (order !== 0) return order;
  }
  return left.fields.length - right.fields.length;
}

/**
 * The step as messages show it: `.spec`, `[name="a",port=80]`, `[="x"]`, `[0]`. Numbers that were read from FieldsV1 are doubles
 * to Go, and shown as such.
 */
export function elementText(element: PathElement, fromFieldsV1 = false): string {
  if (element === FOREIGN_ELEMENT) return "[={{undefined}}]";
  const { rank, fields, value } = parse(element);
  switch (rank) {
    case 0:
      return `.${value}`;
    case 1:
      return `[${fields.map(([name, key]) => `${name}=${valueText(key, fromFieldsV1)}`).join(",")}]`;
    case 2:
      return `[=${valueText(value, fromFieldsV1)}]`;
    default:
      return `[${value}]`;
  }
}

/** A path as messages show it. */
export function pathText(path: Path, fromFieldsV1 = false): string {
  return path.map((element) => elementText(element, fromFieldsV1)).join("");
}
