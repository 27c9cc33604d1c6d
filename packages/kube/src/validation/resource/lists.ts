// Lists and maps with limits: if there are too many items, they are not checked one by one.

import { compareStrings } from "@celadon/base";
import type { ValidatedField } from "../field.ts";

type Visit<T> = (item: T, at: ValidatedField, i: number) => void;
type Named<T> = Readonly<Record<string, T>> | undefined;

export function atMost<T>(
  list: readonly T[] | null | undefined,
  max: number,
  at: ValidatedField,
  visit: Visit<T>,
): void {
  if ((list?.length ?? 0) > max) at.tooMany(list!.length, max);
  else at.each(list, visit);
}

/** The same for a list without duplicates; repeated items come after the errors of each. */
export function eachOnce<T>(
  list: readonly T[] | null | undefined,
  max: number,
  at: ValidatedField,
  visit: Visit<T>,
  keyOf: (item: T) => unknown,
  shown: (item: T) => unknown = keyOf,
): void {
  atMost(list, max, at, visit);
  if ((list?.length ?? 0) > max) return;
  const seen = new Set<string>();
  at.each(list, (item, each) => {
    const key = keyOf(item);
    const text = JSON.stringify(key);
    if (seen.has(text)) duplicatePlace(item, each).duplicate(shown(item));
    seen.add(text);
  });
}

/** Up to 1.34, a repeated item was reported at its name. */
function duplicatePlace(item: unknown, at: ValidatedField): ValidatedField {
  const isNamed = typeof item === "object" && item !== null && Object.hasOwn(item, "name");
  return isNamed && at.by.before(35) ? at.child("name") : at;
}

/** A map: its keys are reported on the whole. */
export function entries<T>(
  map: Named<T>,
  max: number,
  at: ValidatedField,
  key: (name: string, at: ValidatedField) => void,
  visit: (item: T, at: ValidatedField) => void,
): void {
  const names = Object.keys(map ?? {}).sort(compareStrings);
  if (names.length > max) {
    at.tooMany(names.length, max);
    return;
  }
  for (const name of names) {
    key(name, at);
    visit(map![name]!, at.key(name));
  }
}
