// Plain JSON data, compared and read safely.

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether two objects say the same. A field that is absent and one that is an empty list or map are alike: that is how Go's
 * semantic comparison sees a change.
 */
export function sameMeaning(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a) && isEmpty(b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => sameMeaning(item, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  // Numbers that are kept in boxes are their values.
  if (typeof a.valueOf() === "number" || typeof b.valueOf() === "number") return a.valueOf() === b.valueOf();
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameMeaning(ownField(a, key), ownField(b, key)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && typeof value.valueOf() !== "number" && Object.keys(value).length === 0;
}

export function ownField(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
