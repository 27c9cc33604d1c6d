// The depth of data. Every walk over schemas and objects calls itself for each level, so a client's object is measured before it is walked:
// within the limit no walk runs out of stack.

/** Levels of maps and lists; twice what `@celadon/kube/read` reads by default. */
export const MAX_DEPTH = 1000;

export const TOO_DEEP: string = `nested more than ${MAX_DEPTH} levels deep`;

/** Whether data is nested more deeply than the limit; data that contains itself is. */
export function isTooDeep(value: unknown, left: number = MAX_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (left === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isTooDeep(item, left - 1)) return true;
    return false;
  }
  for (const key of Object.keys(value)) if (isTooDeep((value as Record<string, unknown>)[key], left - 1)) return true;
  return false;
}
