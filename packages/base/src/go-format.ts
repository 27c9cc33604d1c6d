// Values as Go writes them, where Kubernetes lets Go's formatting through to users: json.Marshal, %v.
// Values are JSON data: null, booleans, strings, numbers, bigints, Doubles, arrays, plain objects.

import { Double } from "./double.ts";
import { quoteJson } from "./go-quote.ts";
import { compareStrings } from "./utf8.ts";

/** A float64 printed with %v: shortest digits, with an exponent below 1e-4 and from 1e6 on. */
export function formatFloatV(n: number): string {
  if (Number.isNaN(n)) return "NaN";
  if (n === Number.POSITIVE_INFINITY) return "+Inf";
  if (n === Number.NEGATIVE_INFINITY) return "-Inf";
  if (Object.is(n, -0)) return "-0";
  const size = Math.abs(n);
  const plain = n === 0 || (size >= 1e-4 && size < 1e6);
  return plain ? String(n) : withPaddedExponent(n.toExponential());
}

/** strconv.FormatFloat(x, 'f', -1, 64) of a finite number: shortest digits, never an exponent. */
export function formatFixed(x: number): string {
  const text = String(x);
  if (!text.includes("e")) return Object.is(x, -0) ? "-0" : text;
  const [mantissa, exponentText] = text.split("e") as [string, string];
  const exponent = Number(exponentText);
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  return sign + digits.padEnd(exponent + 1, "0");
}

/** A number printed with %v: a safe integer is an int64, anything else a float64. */
export function formatNumberV(n: number): string {
  return Number.isSafeInteger(n) ? String(n) : formatFloatV(n);
}

// Go writes at least two digits of exponent.
function withPaddedExponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

/** A float64 in JSON: encoding/json and JavaScript agree on everything but negative zero. */
export function formatFloatJson(n: number): string {
  return Object.is(n, -0) ? "-0" : String(n);
}

/** json.Marshal of JSON-like data: object keys sorted, no spaces. */
export function formatGoJson(value: unknown): string {
  switch (typeof value) {
    case "string":
      return quoteJson(value);
    case "number":
      return formatFloatJson(value);
    case "bigint":
    case "boolean":
      return String(value);
    case "object":
      return value === null ? "null" : jsonObject(value);
    default:
      return "null";
  }
}

function jsonObject(value: object): string {
  if (Array.isArray(value)) return `[${value.map(formatGoJson).join(",")}]`;
  if (value instanceof Double) return formatFloatJson(value.value);
  const members = sortedKeys(value).map((key) => `${quoteJson(key)}:${formatGoJson(own(value, key))}`);
  return `{${members.join(",")}}`;
}

/** fmt's %v of JSON-like data as Go holds it: `map[a:1 b:[x y]]`, `<nil>`. */
export function formatGoValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return formatNumberV(value);
    case "bigint":
    case "boolean":
      return String(value);
    case "object":
      return value === null ? "<nil>" : goObject(value);
    default:
      return "<nil>";
  }
}

function goObject(value: object): string {
  if (Array.isArray(value)) return `[${value.map(formatGoValue).join(" ")}]`;
  if (value instanceof Double) return formatFloatV(value.value);
  return `map[${sortedKeys(value)
    .map((key) => `${key}:${formatGoValue(own(value, key))}`)
    .join(" ")}]`;
}

/** The Go type a decoded JSON value has in an unstructured object, as in `expected string, got int64`. */
export function goTypeName(value: unknown): string {
  switch (typeof value) {
    case "string":
      return "string";
    case "number":
      return Number.isSafeInteger(value) ? "int64" : "float64";
    case "bigint":
      return "int64";
    case "boolean":
      return "bool";
    case "object":
      if (value === null) return "<nil>";
      if (Array.isArray(value)) return "[]interface {}";
      return value instanceof Double ? "float64" : "map[string]interface {}";
    default:
      return "<nil>";
  }
}

function sortedKeys(value: object): string[] {
  return Object.keys(value).sort(compareStrings);
}

function own(value: object, key: string): unknown {
  return (value as Record<string, unknown>)[key];
}
