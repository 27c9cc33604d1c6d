// Documents of other tools, read defensively: own properties only, and undefined where a field has another shape than its tool writes.
// Callers report missing files.

import { isRecord, valueAt } from "@celadon/base";

export type Fields = Readonly<Record<string, unknown>>;

export const isFields: (value: unknown) => value is Fields = isRecord;

export function get(value: unknown, ...path: readonly (string | number)[]): unknown {
  return valueAt(value, path);
}

export function fieldsAt(value: unknown, ...path: readonly (string | number)[]): Fields {
  const found = get(value, ...path);
  return isFields(found) ? found : {};
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = get(value, ...path);
  return typeof found === "string" ? found : undefined;
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = get(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function textsAt(value: unknown, ...path: readonly (string | number)[]): readonly string[] {
  return listAt(value, ...path).filter((item): item is string => typeof item === "string");
}

/** Numbers and booleans as the texts they would be in YAML that quotes them: labels written without quotes. */
export function labelsAt(value: unknown, ...path: readonly (string | number)[]): Readonly<Record<string, string>> {
  const entries = Object.entries(fieldsAt(value, ...path));
  return Object.fromEntries(entries.map(([key, item]) => [key, String(item)]));
}

/** Whether a field says anything: present, and not null, empty text, list or object. */
export function hasText(value: unknown, key: string): boolean {
  const found = get(value, key);
  if (found === undefined || found === null || found === "") return false;
  if (Array.isArray(found)) return found.length > 0;
  return typeof found !== "object" || Object.keys(found).length > 0;
}

/** A text as CEL writes it. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);
}

/** `*` for any text, `?` for any character, as a pattern for a whole text. */
export function wildcardPattern(text: string): string {
  const escaped = text.replace(/[.+^$(){}|[\]\\]/g, "\\$&");
  return `^(?s:${escaped.replaceAll("*", ".*").replaceAll("?", ".")})$`;
}

export const hasWildcard = (text: string): boolean => /[*?]/.test(text);
