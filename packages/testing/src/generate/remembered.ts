// Facts about a schema and a focus, computed once for both: thousands of objects are generated from the same ones. A focus is filled before
// generation begins and never changes after.

import type { Focus } from "./focus.ts";

const NO_FOCUS = {};

export function remembered<S extends object, T>(
  make: (schema: S, focus: Focus | undefined) => T,
): (schema: S, focus: Focus | undefined) => T {
  const known = new WeakMap<S, WeakMap<object, { readonly value: T }>>();
  return (schema, focus) => {
    let byFocus = known.get(schema);
    if (byFocus === undefined) {
      byFocus = new WeakMap();
      known.set(schema, byFocus);
    }
    let entry = byFocus.get(focus ?? NO_FOCUS);
    if (entry === undefined) {
      entry = { value: make(schema, focus) };
      byFocus.set(focus ?? NO_FOCUS, entry);
    }
    return entry.value;
  };
}
