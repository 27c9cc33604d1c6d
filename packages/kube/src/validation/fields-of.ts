// Reading and replacing fields of plain objects by their names, without changing what was given.

type Members = Readonly<Record<string, unknown>>;

export function fieldAt(object: unknown, names: readonly string[]): unknown {
  let found = object;
  for (const name of names) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Members)[name];
  }
  return found;
}

/** The object with another value in the field; undefined takes it away. */
export function withField<T>(object: T, names: readonly string[], value: unknown): T {
  const [first, ...rest] = names;
  if (first === undefined) return value as T;
  const given = (object ?? {}) as Members;
  const inner = Object.hasOwn(given, first) ? given[first] : undefined;
  const next = rest.length === 0 ? value : withField(inner, rest, value);
  if (next === inner || (next === undefined && inner === undefined)) return object;
  const copy: Record<string, unknown> = { ...given };
  if (next === undefined) delete copy[first];
  else copy[first] = next;
  return copy as T;
}
