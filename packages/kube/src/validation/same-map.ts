import { semanticEqual } from "@celadon/base";

const NO_KEYS: readonly string[] = [];

/** Maps of names to texts; a missing one is empty. */
export function sameMap(
  a: Readonly<Record<string, unknown>> | null | undefined,
  b: Readonly<Record<string, unknown>> | null | undefined,
): boolean {
  const keys = a == null ? NO_KEYS : Object.keys(a);
  if (keys.length !== (b == null ? 0 : Object.keys(b).length)) return false;
  return keys.every((key) => Object.hasOwn(b!, key) && semanticEqual(a![key], b![key]));
}
