// The changes between two objects, as a JSON patch would state them: one change per place, from the top down. Items of lists are
// distinguished by their names where all have one, by their places otherwise; what moved alone is no change of its own. For showing, not
// for applying.

import { withinStack } from "./value/depth.ts";
import { isMap, type JsonMap, sameValue } from "./value/value.ts";

/** A field that was added, removed or replaced. */
export interface ObjectChange {
  readonly op: "add" | "remove" | "replace";
  readonly path: readonly (string | number)[];
  /** The new value; absent for a removed field. */
  readonly value?: unknown;
  /** The former value; absent for an added field. */
  readonly old?: unknown;
}

/** Lists the changes between two objects, field by field. */
export function changesBetween(before: unknown, after: unknown): readonly ObjectChange[] {
  return withinStack<readonly ObjectChange[]>(
    [before, after],
    () => {
      const changes: ObjectChange[] = [];
      compare(before, after, [], changes);
      return changes;
    },
    () => [{ op: "replace", path: [], value: after, old: before }],
  );
}

type Steps = readonly (string | number)[];

function compare(before: unknown, after: unknown, path: Steps, changes: ObjectChange[]): void {
  if (before === after || sameValue(before, after)) return;
  if (isMap(before) && isMap(after)) compareMaps(before, after, path, changes);
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, path, changes);
  else changes.push({ op: "replace", path, value: after, old: before });
}

function compareMaps(before: JsonMap, after: JsonMap, path: Steps, changes: ObjectChange[]): void {
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) changes.push({ op: "remove", path: [...path, key], old: before[key] });
    else compare(before[key], after[key], [...path, key], changes);
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) changes.push({ op: "add", path: [...path, key], value: after[key] });
  }
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: Steps,
  changes: ObjectChange[],
): void {
  const names = [before, after].map(namesOf);
  const [old, fresh] = names;
  if (old !== undefined && fresh !== undefined) {
    for (const [name, i] of old)
      if (!fresh.has(name)) changes.push({ op: "remove", path: [...path, i], old: before[i] });
    for (const [name, j] of fresh) {
      const i = old.get(name);
      if (i === undefined) changes.push({ op: "add", path: [...path, j], value: after[j] });
      else compare(before[i], after[j], [...path, j], changes);
    }
    return;
  }
  const shared = Math.min(before.length, after.length);
  for (let i = 0; i < shared; i++) compare(before[i], after[i], [...path, i], changes);
  for (let i = shared; i < after.length; i++) changes.push({ op: "add", path: [...path, i], value: after[i] });
  for (let i = before.length - 1; i >= shared; i--) changes.push({ op: "remove", path: [...path, i], old: before[i] });
}

/** Places by name; undefined unless every item has one of its own. */
function namesOf(list: readonly unknown[]): ReadonlyMap<string, number> | undefined {
  const places = new Map<string, number>();
  for (const [i, item] of list.entries()) {
    const name = isMap(item) && Object.hasOwn(item, "name") ? item.name : undefined;
    if (typeof name !== "string" || places.has(name)) return undefined;
    places.set(name, i);
  }
  return places;
}

/** The path as a JSON pointer. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
