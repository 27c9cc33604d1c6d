// The greatest depth of values. The API server reads JSON of 10,000 levels; a value beyond the capacity of the stack is answered as if it
// were deeper. Nothing is changed in place anywhere in this package, so a walk that ends early leaves no partial result.

export const MAX_DEPTH = 10_000;
/** The message for values that are nested too deeply. */
export const TOO_DEEP = "exceeded max depth";

/** Returns the result of `work`, or `tooDeep` if the values it walks are nested too deep for it. */
export function withinStack<T>(values: readonly unknown[], work: () => T, tooDeep: (message: string) => T): T {
  try {
    return work();
  } catch (thrown) {
    // Near the end of the stack other things may fail than the call that is one too many.
    if (!(thrown instanceof RangeError) && !values.some(isTooDeep)) throw thrown;
    return tooDeep(TOO_DEEP);
  }
}

/** Level by level, so that the depth itself uses no stack. Containers in several places are visited once per level. */
export function isTooDeep(value: unknown): boolean {
  let level: Iterable<object> = isContainer(value) ? [value] : [];
  for (let depth = 0; ; depth++) {
    const next = new Set<object>();
    let some = false;
    for (const container of level) {
      some = true;
      for (const item of Object.values(container)) if (isContainer(item)) next.add(item);
    }
    if (!some) return false;
    if (depth >= MAX_DEPTH) return true;
    level = next;
  }
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;
