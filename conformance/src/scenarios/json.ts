// Plain data, and reading it by path.

export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export const ABSENT = "<absent>";

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field by dotted path; a backslash protects a dot, numbers index lists. */
export function fieldAt(value: unknown, path: string): unknown {
  let found = value;
  for (const part of path.split(/(?<!\\)\./).map((text) => text.replaceAll("\\.", "."))) {
    if (isObject(found) && Object.hasOwn(found, part)) found = found[part];
    else if (Array.isArray(found) && /^\d+$/.test(part) && Number(part) < found.length) found = found[Number(part)];
    else return ABSENT;
  }
  return found;
}
