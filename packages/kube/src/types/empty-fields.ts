// Lists and maps that were given and are empty. The encoder drops them, and so do objects here; a message that shows a struct still tells
// `[]` and `{}` from `null`. Empty fields of a struct are noted beside it, since few have any.

const noted = new WeakMap<object, Set<string>>();

export function noteEmpty(struct: object, field: string): void {
  const names = noted.get(struct);
  if (names === undefined) noted.set(struct, new Set([field]));
  else names.add(field);
}

/** Whether the field was given, as an empty list or map. */
export function wasEmpty(struct: object, field: string): boolean {
  return noted.get(struct)?.has(field) === true;
}

/** Whether the field was given, as a list or map with or without members: Go's `!= nil`. */
export function wasGiven<T extends object>(struct: T, field: keyof T & string): boolean {
  return struct[field] !== undefined || wasEmpty(struct, field);
}

/** A copy of a struct was given the same, but for a field that got another value. */
export function copyEmpty<T extends object>(from: object, to: T, except?: string): T {
  const names = noted.get(from);
  if (names === undefined) return to;
  const isExcepted = except !== undefined && names.has(except);
  noted.set(to, isExcepted ? new Set([...names].filter((name) => name !== except)) : names);
  return to;
}

/** The value of a field to be shown: the empty list or map that was given, null where none was. */
export function givenPart<T extends object>(struct: T, field: keyof T & string, empty: [] | object): unknown {
  return struct[field] ?? (wasEmpty(struct, field) ? empty : null);
}

/** Whether an empty list or map was given anywhere in the value. */
export function hasEmpty(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return noted.has(value) || Object.values(value).some(hasEmpty);
}

/** A copy without empty lists and maps, as after storing and reading. */
export function forgetEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forgetEmpty);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, forgetEmpty(inner)]));
}
