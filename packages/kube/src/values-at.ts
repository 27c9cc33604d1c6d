// Values at the places a pattern names, with their paths: for tables of fields.

import { isRecord, type JsonPath } from "@celadon/base";

/** Names of members in a row; `*` is every element of a list, or every member of an object. */
export type PathPattern = readonly string[];

/** A value, and the path it was found at. */
export interface ValueAt {
  readonly path: JsonPath;
  readonly value: unknown;
}

/** In the order they stand. An absent part, or one of another shape, has no values. */
export function valuesAt(root: unknown, pattern: PathPattern): readonly ValueAt[] {
  let found: ValueAt[] = [{ path: [], value: root }];
  for (const step of pattern) found = found.flatMap((at) => (step === "*" ? allIn(at) : memberOf(at, step)));
  return found;
}

function allIn({ path, value }: ValueAt): ValueAt[] {
  if (Array.isArray(value)) return value.map((item, i) => ({ path: [...path, i], value: item }));
  return isRecord(value) ? Object.keys(value).map((name) => ({ path: [...path, name], value: value[name] })) : [];
}

function memberOf({ path, value }: ValueAt, name: string): ValueAt[] {
  const isThere = isRecord(value) && Object.hasOwn(value, name);
  return isThere ? [{ path: [...path, name], value: value[name] }] : [];
}
