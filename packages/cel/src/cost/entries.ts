// Sizes of the entries of a container: of a list's elements, of a map's keys and values. Known for both or for none.

import type { Entries } from "./formula.ts";
import { union } from "./range.ts";

/** Entries of a container that is one or the other, or both joined; unknown when either is. */
export function uniteEntries(a: Entries | undefined, b: Entries | undefined): Entries | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { container: a.container, key: union(a.key, b.key), value: union(a.value, b.value) };
}
