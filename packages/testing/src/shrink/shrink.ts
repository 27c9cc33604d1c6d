// A value made as small as it stays interesting: fields and elements are taken out, texts shortened, numbers brought to zero.
// The same value and predicate always give the same result. A predicate may be slow, so the number of times it is asked is
// bounded; what was reached by then is the answer.

import { isPlainObject, put, withMember } from "../generate/plain.ts";

export interface ShrinkOptions {
  /** How often the predicate may be asked; 500 unless told otherwise. */
  readonly steps?: number;
  readonly signal?: { readonly aborted: boolean } | undefined;
}

/** `value` is taken to be interesting already. */
export function shrink<T>(value: T, interesting: (candidate: T) => boolean, options: ShrinkOptions = {}): T {
  const { steps = 500, signal } = options;
  let left = steps;
  let best = value;
  const asked = (candidate: T): boolean => {
    if (left <= 0 || signal?.aborted) return false;
    left--;
    return interesting(candidate);
  };
  // Each round goes once through the whole value; a round that changes nothing is the last.
  for (let changed = true; changed && left > 0; ) {
    changed = false;
    shrinkPart(best, (candidate) => {
      const whole = candidate as T;
      if (!asked(whole)) return false;
      best = whole;
      changed = true;
      return true;
    });
  }
  return best;
}

/** Tries to make a part smaller; `accept` says whether a replacement was taken. Answers the part as it is in the end. */
function shrinkPart(part: unknown, accept: (candidate: unknown) => boolean): unknown {
  if (Array.isArray(part)) return shrinkList(part, accept);
  if (isPlainObject(part)) return shrinkObject(part, accept);
  for (const simpler of simplerScalars(part)) if (accept(simpler)) return simpler;
  return part;
}

function shrinkObject(object: Record<string, unknown>, accept: (candidate: unknown) => boolean): unknown {
  const keys = Object.keys(object);
  if (keys.length > 1 && accept({})) return {};
  let now = keys.length > 16 ? shrinkMembers(object, accept) : object;
  for (const key of Object.keys(now)) {
    const without = withMember(now, key, undefined);
    if (accept(without)) now = without;
  }
  for (const key of Object.keys(now)) {
    const current = now;
    const value = shrinkPart(current[key], (candidate) => accept(withMember(now, key, candidate)));
    if (value !== current[key]) now = withMember(now, key, value);
  }
  return now;
}

/** Large maps: many members at once. */
function shrinkMembers(
  object: Record<string, unknown>,
  accept: (candidate: unknown) => boolean,
): Record<string, unknown> {
  const pick = (keys: readonly string[]): Record<string, unknown> => {
    const picked: Record<string, unknown> = {};
    for (const key of keys) put(picked, key, object[key]);
    return picked;
  };
  return pick(shortest(Object.keys(object), (keys) => accept(pick(keys))));
}

function shrinkList(list: readonly unknown[], accept: (candidate: unknown) => boolean): unknown {
  let now = shortest(list, accept);
  // One by one only where that is few; a long list that cannot be cut has alike elements as a rule.
  if (now.length <= 16) {
    for (let i = now.length - 1; i >= 0; i--) {
      const without = now.toSpliced(i, 1);
      if (accept(without)) now = without;
    }
  }
  for (let i = 0; i < Math.min(now.length, 16); i++) {
    const value = shrinkPart(now[i], (candidate) => accept(now.with(i, candidate)));
    if (value !== now[i]) now = now.with(i, value);
  }
  return now;
}

/** The shortest beginning that is accepted, by halving; then the shortest end of that. */
function shortest<T>(all: readonly T[], accept: (part: readonly T[]) => boolean): readonly T[] {
  const cut = (list: readonly T[], part: (n: number) => readonly T[]): readonly T[] => {
    let low = 0;
    let high = list.length;
    // Longer beginnings are taken to be interesting when shorter ones are; where that is not so, the result is still one.
    while (low < high) {
      const middle = (low + high) >> 1;
      if (accept(part(middle))) high = middle;
      else low = middle + 1;
    }
    return high === list.length ? list : part(high);
  };
  const head = cut(all, (n) => all.slice(0, n));
  return cut(head, (n) => head.slice(head.length - n));
}

function simplerScalars(value: unknown): readonly unknown[] {
  switch (typeof value) {
    case "string":
      return textsBelow(value);
    case "number":
      return value === 0
        ? []
        : [...new Set([0, 1, -1, Math.trunc(value / 2), value - Math.sign(value)])].filter(
            (n) => Math.abs(n) < Math.abs(value),
          );
    case "bigint":
      return [0, 1, -1];
    case "boolean":
      return value ? [false] : [];
    default:
      return [];
  }
}

function textsBelow(text: string): readonly string[] {
  if (text === "" || text === "a") return text === "" ? [] : [""];
  const half = text.slice(0, text.length >> 1);
  return [...new Set(["", "a", half, text.slice(half.length), text.slice(0, -1), text.slice(1)])];
}
