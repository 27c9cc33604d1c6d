// Values as merging sees them: plain JSON, where a number in a box is a double that looks like an integer. Undefined is no value at all.
// Order and equality are those of structured-merge-diff value/value.go: numbers compare as numbers, in every notation.

import { compareStrings, Double, formatFloatV, formatGoValue, isRecord, own, quoteGo, setOwn } from "@celadon/base";

export { own, setOwn };

export type JsonMap = Readonly<Record<string, unknown>>;
export type Form = "null" | "boolean" | "integer" | "float" | "string" | "list" | "map" | "foreign";

/** A value that JSON has no form for, as expressions may make one. It is of no type. */
export class ForeignValue {
  /** Its type in Go, as errors name it. */
  readonly goType: string;
  /** The value as `%v` shows it. */
  readonly text: string;
  /** The value as `%#v` shows it. */
  readonly syntax: string;
  /** The bytes of a value that is bytes. */
  readonly bytes: Uint8Array | undefined;
  constructor(goType: string, text: string, syntax: string = text, bytes?: Uint8Array) {
    this.goType = goType;
    this.text = text;
    this.syntax = syntax;
    this.bytes = bytes;
  }
}

const NIL_LISTS = new WeakSet<object>();

/** A list that Go holds as nil: it is merged as an empty one, and written as null. */
export function nilList(): readonly unknown[] {
  const list: readonly unknown[] = [];
  NIL_LISTS.add(list);
  return list;
}

export function isNilList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0 && NIL_LISTS.has(value);
}

export function formOf(value: unknown): Form {
  switch (typeof value) {
    case "string":
      return "string";
    case "number":
      return Number.isSafeInteger(value) ? "integer" : "float";
    case "bigint":
      return "integer";
    case "boolean":
      return "boolean";
    default:
      if (value === null || value === undefined) return "null";
      if (Array.isArray(value)) return "list";
      if (value instanceof ForeignValue) return "foreign";
      return value instanceof Double ? "float" : "map";
  }
}

export function isMap(value: unknown): value is JsonMap {
  return isRecord(value) && !(value instanceof ForeignValue);
}

export function isEmptyMap(map: JsonMap): boolean {
  for (const key in map) if (Object.hasOwn(map, key)) return false;
  return true;
}

export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === "string" || typeof b === "string" || typeof a === "boolean" || typeof b === "boolean") return false;
  if (a === null || a === undefined) return b === null || b === undefined;
  if (b === null || b === undefined) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i]));
  }
  if (Array.isArray(b)) return false;
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left !== undefined || right !== undefined) {
    return left !== undefined && right !== undefined && compareNumbers(left, right) === 0;
  }
  return sameMaps(a as JsonMap, b as JsonMap);
}

function sameMaps(a: JsonMap, b: JsonMap): boolean {
  let count = 0;
  for (const key in a) {
    if (!Object.hasOwn(a, key)) continue;
    if (!Object.hasOwn(b, key) || !sameValue(a[key], b[key])) return false;
    count++;
  }
  return count === Object.keys(b).length;
}

function numberOf(value: unknown): number | bigint | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  return value instanceof Double ? value.value : undefined;
}

/** Beside a double, Go takes an integer for the nearest double. */
function compareNumbers(a: number | bigint, b: number | bigint): number {
  const [left, right] = typeof a === typeof b ? [a, b] : [Number(a), Number(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

const RANKS: Readonly<Record<Form, number>> = {
  float: 0,
  integer: 0,
  string: 1,
  boolean: 2,
  list: 3,
  map: 4,
  null: 5,
  foreign: 6,
};

/** A total order over all values. */
export function compareValues(a: unknown, b: unknown): number {
  const [left, right] = [formOf(a), formOf(b)];
  if (RANKS[left] !== RANKS[right]) return RANKS[left] - RANKS[right];
  switch (left) {
    case "integer":
    case "float": {
      return compareNumbers(numberOf(a)!, numberOf(b)!);
    }
    case "string":
      return compareStrings(a as string, b as string);
    case "boolean":
      return Number(a) - Number(b);
    case "list":
      return compareLists(a as readonly unknown[], b as readonly unknown[]);
    case "map":
      return compareMaps(a as JsonMap, b as JsonMap);
    case "null":
    case "foreign":
      return 0;
  }
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareMaps(a: JsonMap, b: JsonMap): number {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort(compareStrings);
  for (const key of keys) {
    if (!Object.hasOwn(a, key)) return 1;
    if (!Object.hasOwn(b, key)) return -1;
    const order = compareValues(a[key], b[key]);
    if (order !== 0) return order;
  }
  return 0;
}

/** A value inside a path. */
export function valueText(value: unknown, asDouble = false): string {
  switch (formOf(value)) {
    case "null":
      return "null";
    case "integer":
      return asDouble ? formatFloatV(Number(value)) : String(value);
    case "float":
      return formatFloatV(numberOf(value) as number);
    case "string":
      return quoteGo(value as string);
    case "list":
      return `[${(value as readonly unknown[]).map((item) => valueText(item, asDouble)).join(",")}]`;
    case "map":
      return Object.entries(value as JsonMap)
        .map(([key, item]) => `${key}=${valueText(item, asDouble)}`)
        .join("");
    default:
      return String(value);
  }
}

/** `%v` of a value that Go holds behind a pointer, as errors show it. */
export function shownValue(value: unknown): string {
  return `&{${goText(value)}}`;
}

/** `%v`, also of what JSON has no form for. */
function goText(value: unknown): string {
  if (value instanceof ForeignValue) return value.text;
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (!isMap(value)) return formatGoValue(value);
  const members = Object.entries(value).sort(([a], [b]) => compareStrings(a, b));
  return `map[${members.map(([key, item]) => `${key}:${goText(item)}`).join(" ")}]`;
}

/** `%#v` of such a value: Go's own syntax. */
export function shownSyntax(value: unknown): string {
  return `&value.valueUnstructured{Value:${syntax(value)}}`;
}

function syntax(value: unknown): string {
  switch (formOf(value)) {
    case "null":
      return "interface {}(nil)";
    case "foreign":
      return (value as ForeignValue).syntax;
    case "string":
      return quoteGo(value as string);
    case "float":
      return formatFloatSyntax(numberOf(value) as number);
    case "list":
      if (isNilList(value)) return "[]interface {}(nil)";
      return `[]interface {}{${(value as readonly unknown[]).map(syntax).join(", ")}}`;
    case "map": {
      const members = Object.entries(value as JsonMap).sort(([a], [b]) => compareStrings(a, b));
      return `map[string]interface {}{${members.map(([key, item]) => `${quoteGo(key)}:${syntax(item)}`).join(", ")}}`;
    }
    default:
      return String(value);
  }
}

// Unlike %v, %#v turns to exponents from 1e21 on, as JavaScript does.
function formatFloatSyntax(n: number): string {
  const size = Math.abs(n);
  return n === 0 || (size >= 1e-4 && size < 1e21) ? String(n) : formatFloatV(n);
}
