// Values as Go's syntax (`%#v`), which API servers print in errors of fields up to 1.33.

import { compareStrings, decodeBase64, quoteGo } from "@celadon/base";
import { isInvalid } from "./invalid.ts";
import { parseQuantity } from "./quantity/quantity.ts";

/** Types of Go that print otherwise than their JSON suggests. */
export const BYTES = "[]byte";
export const INT_OR_STRING = "intstr.IntOrString";
export const QUANTITY = "resource.Quantity";
export const QUANTITIES = "core.ResourceList";
export const RAW_EXTENSION = "runtime.RawExtension";
/** A text with a method that prints it. */
export const RESOURCE_NAME = "core.ResourceName";
export const TIME = "v1.MicroTime";

const PRINTERS: Readonly<Record<string, (value: unknown) => string>> = {
  [BYTES]: (value) => goBytes(bytesOf(value), BYTES),
  [INT_OR_STRING]: goIntOrString,
  [QUANTITY]: (value) => goQuantity(String(value ?? "0")),
  [QUANTITIES]: (value) => goMap(QUANTITIES, value, (item) => goQuantity(String(item))),
  [RAW_EXTENSION]: (value) => `${RAW_EXTENSION}{Raw:${goBytes(bytesOf(value))}, Object:runtime.Object(nil)}`,
  [RESOURCE_NAME]: String,
  [TIME]: (value) =>
    typeof value === "string" ? `${value.replace("T", " ").replace(/\.0*Z$|Z$/, "")} +0000 UTC` : "nil",
};

/** A value of a given Go type, or of the plainest one for such a value. */
export function goSyntax(value: unknown, goType?: string): string {
  const print = goType === undefined ? undefined : PRINTERS[goType];
  if (print !== undefined) return print(value);
  if (value === null || value === undefined) return goType === undefined ? '"null"' : `${goType}(nil)`;
  if (typeof value === "string") return quoteGo(value);
  if (Array.isArray(value)) return `${goType ?? "[]string"}{${value.map((item) => goSyntax(item)).join(", ")}}`;
  return typeof value === "object" ? goMap(goType ?? "map[string]string", value, goSyntax) : String(value);
}

/** A map, or the nil one. */
export function goMap(goType: string, map: unknown, item: (value: unknown) => string): string {
  if (typeof map !== "object" || map === null) return `${goType}(nil)`;
  const entries = Object.entries(map).sort(([a], [b]) => compareStrings(a, b));
  return `${goType}{${entries.map(([key, value]) => `${quoteGo(key)}:${item(value)}`).join(", ")}}`;
}

/** A number or text where Go has either. */
export function goIntOrString(value: unknown): string {
  const [type, number, text] = typeof value === "string" ? [1, 0, value] : [0, Number(value ?? 0), ""];
  return `intstr.IntOrString{Type:${type}, IntVal:${number}, StrVal:${quoteGo(text)}}`;
}

/** Bytes as a list of them. */
export function goBytes(bytes: Uint8Array | undefined, name = "[]uint8"): string {
  if (bytes === undefined) return `${name}(nil)`;
  const list = [...bytes].map((byte) => `0x${byte.toString(16)}`);
  return `${name}{${list.join(", ")}}`;
}

/** Bytes that an object has as base64. */
export function bytesOf(given: unknown): Uint8Array | undefined {
  if (given instanceof Uint8Array) return given;
  const decoded = typeof given === "string" ? decodeBase64(given) : undefined;
  return typeof decoded === "number" ? undefined : decoded;
}

/** The parts in which Go keeps a quantity, and the text it has printed already. */
export function goQuantity(text: string): string {
  const parsed = parseQuantity(text);
  if (isInvalid(parsed)) return quoteGo(text);
  const { value, scale, cached, format } = parsed.goParts();
  return `${QUANTITY}{i:resource.int64Amount{value:${value}, scale:${scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${quoteGo(cached)}, Format:"${format}"}`;
}

/** A pointer that is set: where it points to is another place each time. */
export const GO_ADDRESS = "0xc000000000";
