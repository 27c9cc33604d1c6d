// Finds a text in a document: importers read paths from many fields, and a problem of a path must stand where it is written.

import type { JsonPath } from "@celadon/base";

/** The first place of a text, in the order of the document. */
export function pathOfText(document: unknown, text: string): JsonPath | undefined {
  const seen = new Set<object>();
  const find = (value: unknown, path: JsonPath): JsonPath | undefined => {
    if (value === text) return path;
    // An alias is the same object again.
    if (typeof value !== "object" || value === null || seen.has(value)) return undefined;
    seen.add(value);
    const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [key, item] of entries) {
      const found = find(item, [...path, key]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(document, []);
}
