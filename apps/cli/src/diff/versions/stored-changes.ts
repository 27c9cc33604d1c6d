// The fields in which two stored objects differ. Values that a server generates for each object are not compared.

import { deepEqual, isRecord, type JsonPath } from "@celadon/base";

export interface StoredChange {
  readonly path: JsonPath;
  /** Undefined where the object does not have the field. */
  readonly was: unknown;
  readonly now: unknown;
}

const MADE_UP: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "uid",
]);

/** The topmost fields that one of the objects lacks, and the values that differ. A field that is null is absent. */
export function storedChanges(was: unknown, now: unknown): readonly StoredChange[] {
  const changes: StoredChange[] = [];
  compare(was, now, [], changes);
  return changes;
}

function compare(was: unknown, now: unknown, path: JsonPath, changes: StoredChange[]): void {
  if (isRecord(was) && isRecord(now)) {
    for (const key of new Set([...Object.keys(was), ...Object.keys(now)])) {
      if (path.length === 1 && path[0] === "metadata" && MADE_UP.has(key)) continue;
      const has = (value: Readonly<Record<string, unknown>>): unknown =>
        Object.hasOwn(value, key) ? (value[key] ?? undefined) : undefined;
      compare(has(was), has(now), [...path, key], changes);
    }
  } else if (Array.isArray(was) && Array.isArray(now) && was.length === now.length) {
    for (const i of was.keys()) compare(was[i], now[i], [...path, i], changes);
  } else if (!deepEqual(was, now)) changes.push({ path, was, now });
}
