const NO_KEYS: readonly string[] = [];

/** Equality of decoded values. Lists and maps that are empty or missing are equal; an empty struct is not a missing one. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [x, y] = [a ?? undefined, b ?? undefined];
  if (x === undefined || y === undefined) return isNothing(x) && isNothing(y);
  if (typeof x !== "object" || typeof y !== "object") return x === y;
  if (Array.isArray(x) !== Array.isArray(y)) return false;
  return Array.isArray(x) ? sameList(x, y as readonly unknown[]) : sameObject(x, y);
}

function isNothing(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, i) => sameValue(item, b[i]));
}

function sameObject(a: object, b: object): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) if (!sameValue(own(a, key), own(b, key))) return false;
  return true;
}

function own(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;
}

/** Maps of names to texts; a missing one is empty. */
export function sameMap(
  a: Readonly<Record<string, unknown>> | null | undefined,
  b: Readonly<Record<string, unknown>> | null | undefined,
): boolean {
  const keys = a == null ? NO_KEYS : Object.keys(a);
  if (keys.length !== (b == null ? 0 : Object.keys(b).length)) return false;
  return keys.every((key) => Object.hasOwn(b!, key) && sameValue(a![key], b![key]));
}
