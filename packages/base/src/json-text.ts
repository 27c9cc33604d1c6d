// Values as JSON text: integers in full, also those that a double cannot hold.

import { Double } from "./double.ts";

/** JSON as Go writes it: a whole double has no point. Nearly all values can be left to the engine's own writer. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.stringify refuses bigints.
    if (error instanceof TypeError) return written(value, shortDouble) ?? "null";
    throw error;
  }
}

/** The same with a point behind whole doubles, for readers that distinguish `1.0` from `1`. */
export function toExactJson(value: unknown): string {
  return written(value, pointedDouble) ?? "null";
}

type DoubleText = (double: Double) => string;

const shortDouble: DoubleText = ({ value }) => JSON.stringify(value);
const pointedDouble: DoubleText = ({ value }) => (Number.isSafeInteger(value) ? value.toFixed(1) : String(value));

function written(value: unknown, doubleText: DoubleText): string | undefined {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (value instanceof Double) return doubleText(value);
  if (Array.isArray(value)) return `[${value.map((item) => written(item, doubleText) ?? "null").join(",")}]`;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return written((value as { toJSON(): unknown }).toJSON(), doubleText);
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = written(member, doubleText);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(",")}}`;
}
