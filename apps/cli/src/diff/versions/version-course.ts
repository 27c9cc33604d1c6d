// A value as servers of several versions have it: whether it changes from the oldest to the newest, and with which version.

import type { Minor } from "@celadon/kube-cel";

/** A change from the oldest to the newest of some versions, or one that a later version takes back. */
export interface Course<T> {
  readonly was: T;
  readonly now: T;
  /** The first version that has the new value. */
  readonly since: Minor;
  /** The first version that has the former value again. */
  readonly until?: Minor;
}

/** Undefined if all versions have the same value. `values` are those of `minors`, oldest first. */
export function courseOf<T>(
  minors: readonly Minor[],
  values: readonly T[],
  same: (a: T, b: T) => boolean = Object.is,
): Course<T> | undefined {
  const was = values[0]!;
  const now = values.at(-1)!;
  if (!same(was, now)) {
    const before = values.findLastIndex((value) => !same(value, now));
    return { was, now, since: minors[before + 1]! };
  }
  const first = values.findIndex((value) => !same(value, was));
  if (first === -1) return undefined;
  const back = values.findIndex((value, i) => i > first && same(value, was));
  return { was, now: values[first]!, since: minors[first]!, until: minors[back]! };
}
