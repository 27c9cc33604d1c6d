// The first places of values in a list, by Go's own equality: an integer is not the same as a double of its value, and maps and lists are
// the same as nothing. One pass over a list for any number of look-ups.

import { Double } from "@celadon/base";
import { formOf } from "../value/value.ts";

/** The same text for equal values; undefined for values that equal nothing. */
export function identityOf(value: unknown): string | undefined {
  const form = formOf(value);
  switch (form) {
    case "map":
    case "list":
    case "foreign":
      return undefined;
    default:
      return `${form}:${String(value instanceof Double ? value.value : value)}`;
  }
}

export class Places {
  readonly #first = new Map<string, number>();

  constructor(list: readonly unknown[], keyOf: (item: unknown) => unknown) {
    for (let i = 0; i < list.length; i++) {
      const id = identityOf(keyOf(list[i]));
      if (id !== undefined && !this.#first.has(id)) this.#first.set(id, i);
    }
  }

  /** -1 if it does not occur. */
  of(key: unknown): number {
    const id = identityOf(key);
    return id === undefined ? -1 : (this.#first.get(id) ?? -1);
  }
}

/** Items of a list by their keys: a changed item may lose its key, and new ones come at the end. */
export class KeyedItems {
  readonly #places = new Map<string, number[]>();

  add(key: unknown, at: number): void {
    const id = identityOf(key);
    if (id === undefined) return;
    const known = this.#places.get(id);
    if (known === undefined) this.#places.set(id, [at]);
    else known.push(at);
  }

  /** The first that is left; undefined if none is. */
  first(key: unknown): number | undefined {
    const id = identityOf(key);
    return id === undefined ? undefined : this.#places.get(id)?.[0];
  }

  dropFirst(key: unknown): void {
    this.#places.get(identityOf(key) ?? "")?.shift();
  }
}
