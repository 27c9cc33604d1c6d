// Errors of custom resources in the words of a server. Up to 1.33 lists and maps of objects without Go types are shown as Go prints them.

import { compareStrings, Double, isRecord, quoteGo } from "@celadon/base";
import { type FieldError, inWordsOf, JSON_SINCE, ShownText } from "@celadon/kube/errors";
import type { Emulation } from "@celadon/kube/versions";

export function wordedValues(by: Emulation, errors: readonly FieldError[]): readonly FieldError[] {
  const worded = inWordsOf(by, errors);
  if (!by.before(JSON_SINCE)) return worded;
  return worded.map((error) =>
    isUnstructured(error.value) ? { ...error, value: new ShownText(asGo(error.value)) } : error,
  );
}

const isUnstructured = (value: unknown): boolean => Array.isArray(value) || isRecord(value);

function asGo(value: unknown): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (typeof value === "string") return quoteGo(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(asGo).join(", ")}}`;
  if (!isRecord(value)) return String(value instanceof Double ? value.value : value);
  const entries = Object.entries(value).sort(([a], [b]) => compareStrings(a, b));
  return `map[string]interface {}{${entries.map(([key, item]) => `${quoteGo(key)}:${asGo(item)}`).join(", ")}}`;
}
