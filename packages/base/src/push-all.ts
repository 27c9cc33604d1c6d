// Lists put together. `list.push(...items)` passes every item as an argument, and an engine's stack has room for some hundred thousand:
// an object with more errors than that would be an exception.

/** Adds the items of some lists to the end of another. */
export function pushAll<T>(list: T[], ...parts: readonly (readonly T[])[]): void {
  for (const part of parts) for (const item of part) list.push(item);
}
