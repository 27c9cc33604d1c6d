// A value made as small as it stays interesting: fields and elements are taken out, texts shortened, numbers brought to zero. The same
// value and predicate always give the same result. A predicate may be slow, so the number of its calls is bounded; the best value so far is
// the result.

import { isRecord, setOwn } from "@celadon/base";
import { withMember } from "../generate/plain.ts";

export interface ShrinkOptions {
  /** The number of calls of the predicate; 500 by default. */
  readonly steps?: number;
  readonly signal?: { readonly aborted: boolean } | undefined;
}

/** `value` must be interesting already. */
export function shrink<T>(value: T, interesting: (candidate: T) => boolean, options: ShrinkOptions = {}): T {
  const steps = smaller(value, options);
  for (let next = steps.next(); ; next = steps.next(interesting(next.value))) if (next.done) return next.value;
}

/** The same where finding out takes a while. */
export async function shrinkAsync<T>(
  value: T,
  interesting: (candidate: T) => Promise<boolean>,
  options: ShrinkOptions = {},
): Promise<T> {
  const steps = smaller(value, options);
  for (let next = steps.next(); ; next = steps.next(await interesting(next.value))) if (next.done) return next.value;
}

/** Offers candidates and learns whether each is accepted; returns the result. */
type Steps<T> = Generator<T, T, boolean>;

function* smaller<T>(value: T, { steps = 500, signal }: ShrinkOptions): Steps<T> {
  let left = steps;
  let best = value;
  // Each round goes once through the whole value; a round that changes nothing is the last.
  for (let changed = true; changed; ) {
    changed = false;
    const round = shrinkPart(best) as Steps<T>;
    for (let next = round.next(); !next.done; ) {
      if (left <= 0 || signal?.aborted) return best;
      left--;
      const candidate = next.value;
      const taken = yield candidate;
      if (taken) {
        best = candidate;
        changed = true;
      }
      next = round.next(taken);
    }
  }
  return best;
}

/** Steps of a part as steps of the whole. */
function* within(part: Steps<unknown>, whole: (candidate: unknown) => unknown): Steps<unknown> {
  let next = part.next();
  while (!next.done) next = part.next(yield whole(next.value));
  return next.value;
}

function* shrinkPart(part: unknown): Steps<unknown> {
  if (Array.isArray(part)) return yield* shrinkList(part);
  if (isRecord(part)) return yield* shrinkObject(part);
  for (const simpler of simplerScalars(part)) if (yield simpler) return simpler;
  return part;
}

function* shrinkObject(object: Record<string, unknown>): Steps<unknown> {
  const keys = Object.keys(object);
  if (keys.length > 1 && (yield {})) return {};
  let now = keys.length > 16 ? yield* shrinkMembers(object) : object;
  for (const key of Object.keys(now)) {
    const without = withMember(now, key, undefined);
    if (yield without) now = without;
  }
  for (const key of Object.keys(now)) {
    const current = now;
    const value = yield* within(shrinkPart(current[key]), (candidate) => withMember(current, key, candidate));
    if (value !== current[key]) now = withMember(current, key, value);
  }
  return now;
}

/** Large maps: many members at once. */
function* shrinkMembers(object: Record<string, unknown>): Generator<unknown, Record<string, unknown>, boolean> {
  const pick = (keys: readonly string[]): Record<string, unknown> => {
    const picked: Record<string, unknown> = {};
    for (const key of keys) setOwn(picked, key, object[key]);
    return picked;
  };
  return pick(yield* shortest(Object.keys(object), pick));
}

function* shrinkList(list: readonly unknown[]): Steps<unknown> {
  let now = yield* shortest(list, (part) => part);
  // One by one only where that is few; a long list that cannot be cut has alike elements as a rule.
  if (now.length <= 16) {
    for (let i = now.length - 1; i >= 0; i--) {
      const without = now.toSpliced(i, 1);
      if (yield without) now = without;
    }
  }
  for (let i = 0; i < Math.min(now.length, 16); i++) {
    const current = now;
    const value = yield* within(shrinkPart(current[i]), (candidate) => current.with(i, candidate));
    if (value !== current[i]) now = current.with(i, value);
  }
  return now;
}

/** The shortest beginning that is taken, by halving; then the shortest end of that. `whole` is the candidate for a part. */
function* shortest<T>(
  all: readonly T[],
  whole: (part: readonly T[]) => unknown,
): Generator<unknown, readonly T[], boolean> {
  function* cut(list: readonly T[], part: (n: number) => readonly T[]): Generator<unknown, readonly T[], boolean> {
    let low = 0;
    let high = list.length;
    // Longer beginnings are taken to be interesting when shorter ones are; where that is not so, the result is still one.
    while (low < high) {
      const middle = (low + high) >> 1;
      if (yield whole(part(middle))) high = middle;
      else low = middle + 1;
    }
    return high === list.length ? list : part(high);
  }
  const head = yield* cut(all, (n) => all.slice(0, n));
  return yield* cut(head, (n) => head.slice(head.length - n));
}

function simplerScalars(value: unknown): readonly unknown[] {
  switch (typeof value) {
    case "string":
      return textsBelow(value);
    case "number":
      return numbersBelow(value);
    case "bigint":
      return [0, 1, -1];
    case "boolean":
      return value ? [false] : [];
    default:
      return [];
  }
}

/** Round numbers first: halving alone takes a round for every bit. */
function numbersBelow(value: number): readonly number[] {
  const sign = Math.sign(value);
  const round = [10, 100, 1000, 100_000].map((n) => n * sign);
  const below = [0, 1, -1, ...round, Math.trunc(value / 2), value - sign];
  return [...new Set(below)].filter((n) => Math.abs(n) < Math.abs(value));
}

function textsBelow(text: string): readonly string[] {
  if (text === "" || text === "a") return text === "" ? [] : [""];
  const half = text.slice(0, text.length >> 1);
  return [...new Set(["", "a", half, text.slice(half.length), text.slice(0, -1), text.slice(1)])];
}
