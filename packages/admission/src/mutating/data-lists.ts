// Finds the lists that are data of the request. Looked for when a list stands inside a literal, which is rare.

import type { Activation } from "../evaluate/variables.ts";
import type { IsData } from "./go-value.ts";

export function dataLists({ object, oldObject, params, namespaceObject, request }: Activation): IsData {
  let known: Set<unknown> | undefined;
  return (list) => {
    known ??= listsIn([object, oldObject, params, namespaceObject, request]);
    return known.has(list);
  };
}

function listsIn(values: readonly unknown[]): Set<unknown> {
  const lists = new Set<unknown>();
  const left: unknown[] = [...values];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) lists.add(value);
    for (const item of Object.values(value)) if (typeof item === "object" && item !== null) left.push(item);
  }
  return lists;
}
