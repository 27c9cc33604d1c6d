// Plain objects with keys from outside: `__proto__` is a key like any other.

import { isRecord, setOwn } from "@celadon/base";

/** A copy without some keys, or with another value at one. */
export function withMember(
  object: Readonly<Record<string, unknown>>,
  key: string,
  value: unknown,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(object))
    if (name !== key) setOwn(copy, name, object[name]);
    else if (value !== undefined) setOwn(copy, name, value);
  return copy;
}

/** Equal JSON, in any order of keys; bigints compare as numbers of their own. */
export function jsonKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonKey).join(",")}]`;
  if (isRecord(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${jsonKey(value[key])}`);
    return `{${members.join(",")}}`;
  }
  return typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? "null");
}
