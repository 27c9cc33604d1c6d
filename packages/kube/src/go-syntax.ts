// Values as Go's syntax (`%#v`), which API servers print in errors of fields up to 1.33.

import { compareStrings, quoteGo } from "@celadon/base";

/** A value of a given Go type, or of the plainest one for such a value. */
export function goSyntax(value: unknown, goType?: string): string {
  if (value === null || value === undefined) return goType === undefined ? '"null"' : `${goType}(nil)`;
  if (typeof value === "string") return quoteGo(value);
  if (Array.isArray(value)) return `${goType ?? "[]string"}{${value.map((item) => goSyntax(item)).join(", ")}}`;
  if (typeof value !== "object") return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => compareStrings(a, b));
  const shown = entries.map(([key, item]) => `${quoteGo(key)}:${goSyntax(item)}`);
  return `${goType ?? "map[string]string"}{${shown.join(", ")}}`;
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

/** A pointer that is set: where it points to is another place each time. */
export const GO_ADDRESS = "0xc000000000";
