// Reads and replaces fields of plain objects by their names, without changing the input.

import { copyEmpty, wasEmpty } from "../types/empty-fields.ts";

type Members = Readonly<Record<string, unknown>>;

export function fieldAt(object: unknown, names: readonly string[]): unknown {
  let found = object;
  for (const name of names) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Members)[name];
  }
  return found;
}

/** The object with another value in the field; undefined takes it away. */
export function withField<T>(object: T, names: readonly string[], value: unknown): T {
  return replaced(object, names, 0, value);
}

function replaced<T>(object: T, names: readonly string[], depth: number, value: unknown): T {
  const first = names[depth];
  if (first === undefined) return value as T;
  const given = (object ?? {}) as Members;
  const inner = Object.hasOwn(given, first) ? given[first] : undefined;
  const next = depth === names.length - 1 ? value : replaced(inner, names, depth + 1, value);
  const isKept = next === inner || (next === undefined && inner === undefined);
  if (isKept && !(depth === names.length - 1 && wasEmpty(given, first))) return object;
  const copy: Record<string, unknown> = copyEmpty(given, { ...given }, first);
  if (next === undefined) delete copy[first];
  else copy[first] = next;
  return copy as T;
}
