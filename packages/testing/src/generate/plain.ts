// Plain objects with keys from outside: `__proto__` is a key like any other.

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function own(object: Readonly<Record<string, unknown>> | undefined, key: string): unknown {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

export function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}

/** A copy without some keys, or with another value at one. */
export function withMember(
  object: Readonly<Record<string, unknown>>,
  key: string,
  value: unknown,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(object))
    if (name !== key) put(copy, name, object[name]);
    else if (value !== undefined) put(copy, name, value);
  return copy;
}

/** Equal JSON, whatever the order of keys; bigints compare as numbers of their own. */
export function jsonKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonKey).join(",")}]`;
  if (isPlainObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${jsonKey(value[key])}`);
    return `{${members.join(",")}}`;
  }
  return typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? "null");
}
