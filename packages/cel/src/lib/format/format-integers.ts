// The clauses for integers, alike in every dialect: digits of the base with a sign before them, no two's complement.

import { encodeUtf8 } from "@celadon/base";
import { isInt } from "../../value/box.ts";
import { grow } from "../../value/size/work.ts";
import type { Int } from "../../value/type.ts";
import { Uint, type Value } from "../../value/value.ts";

/** The number of an int or uint. */
export function bareInteger(value: Value): Int | undefined {
  return value instanceof Uint ? value.value : isInt(value) ? value : undefined;
}

export function formatDecimal(value: Value): string | undefined {
  return bareInteger(value)?.toString();
}

export function formatOctal(value: Value): string | undefined {
  return bareInteger(value)?.toString(8);
}

export function formatBinary(value: Value): string | undefined {
  if (typeof value === "boolean") return value ? "1" : "0";
  return bareInteger(value)?.toString(2);
}

/** Text and bytes are written byte by byte. */
export function formatHex(value: Value): string | undefined {
  if (typeof value === "string") return hexBytes(encodeUtf8(value));
  if (value instanceof Uint8Array) return hexBytes(value);
  return bareInteger(value)?.toString(16);
}

export function formatUpperHex(value: Value): string | undefined {
  return formatHex(value)?.toUpperCase();
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hexBytes(bytes: Uint8Array): string {
  grow(bytes.length * 2);
  const pairs: string[] = new Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) pairs[i] = HEX[bytes[i] as number] as string;
  return pairs.join("");
}
