// Values in the tagged form of recorded answers: {"int":"1"}, {"double":"1.5"}, {"duration": nanoseconds}, {"list":[…]}.

import { readFileSync } from "node:fs";
import { CelMap } from "./collection/map.ts";
import { CelError } from "./error.ts";
import { durationToNanos } from "./time/time.ts";
import { formatTimestamp } from "./time/time-format.ts";
import { Double, Duration, Optional, Timestamp, Type, Uint, type Value } from "./value.ts";

export type Tagged = { readonly [tag: string]: unknown };
export type Answer = { readonly value?: Tagged; readonly error?: string };

/** A result in the form in which answers are recorded. Doubles are numbers, so that NaN and -0 compare as themselves. */
export function answerOf(v: Value): { value: Tagged } | { error: string } {
  return v instanceof CelError ? { error: v.message } : { value: tag(v) };
}

function tag(v: Value): Tagged {
  if (v === null) return { null: true };
  if (typeof v === "string") return { string: v };
  if (typeof v === "boolean") return { bool: v };
  if (typeof v === "bigint" || Number.isSafeInteger(v)) return { int: String(v) };
  if (typeof v === "number") return { double: v };
  if (v instanceof Double) return { double: v.value };
  if (v instanceof Uint) return { uint: String(v.value) };
  if (v instanceof Uint8Array) return { bytes: Buffer.from(v).toString("base64") };
  if (v instanceof Timestamp) return { timestamp: formatTimestamp(v) };
  if (v instanceof Duration) return { duration: String(durationToNanos(v)) };
  if (v instanceof Type) return { type: v.name };
  if (v instanceof Optional) return { optional: v.hasValue ? tag(v.value) : null };
  if (Array.isArray(v)) return { list: v.map(tag) };
  if (v instanceof CelMap) return { map: [...v.entries()].map(([key, value]) => [tag(key), tag(value)]) };
  throw new Error(`no tagged form for ${String(v)}`);
}

/** A recorded answer with its doubles as numbers. */
export function recorded({ value, error }: Answer): Answer {
  return error === undefined ? { value: withNumbers(value) as Tagged } : { error };
}

function withNumbers(v: unknown): unknown {
  if (Array.isArray(v)) return v.map(withNumbers);
  if (typeof v !== "object" || v === null) return v;
  return Object.fromEntries(
    Object.entries(v).map(([key, value]) => [key, key === "double" ? parseDouble(String(value)) : withNumbers(value)]),
  );
}

export const parseDouble = (text: string): number => Number(text.replace("Inf", "Infinity"));

export function readLines<T>(name: string): T[] {
  const text = readFileSync(new URL(`./testdata/${name}`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}
