// The words of a strategic merge patch that are no fields: `$patch` in a map, `$retainKeys`, and lists that stand beside another.

import { isMap, setOwn } from "../value/value.ts";

export const DIRECTIVE = "$patch";
export const RETAIN_KEYS = "$retainKeys";
export const DELETE_PREFIX = "$deleteFromPrimitiveList";
export const ORDER_PREFIX = "$setElementOrder";

/** The field a list beside it is about. */
export function afterPrefix(key: string, prefix: string): string | undefined {
  return key.startsWith(`${prefix}/`) ? key.slice(prefix.length + 1) : undefined;
}

/** A value without maps that are directives; undefined where it is one itself. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isMap(value)) return value;
  if (Object.hasOwn(value, DIRECTIVE)) return undefined;
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = withoutDirectives(value[key]);
    if (item !== undefined) setOwn(rest, key, item);
  }
  return rest;
}
