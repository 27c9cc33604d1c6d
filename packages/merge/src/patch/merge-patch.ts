// JSON Merge Patch (RFC 7386) as evanphx/json-patch v4 applies it: null deletes, maps are merged, all else is replaced. Nulls inside new
// values are dropped, but those inside a list that replaces one stay. The document is not changed.

import { compareStrings } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import { withinStack } from "../value/depth.ts";
import { isMap, type JsonMap, setOwn } from "../value/value.ts";

/** Options for applying a merge patch. */
export interface MergePatchOptions {
  /** Maps that the library looked into have their keys in order, as Go writes maps; otherwise keys stay where they are and new ones follow. */
  readonly isSorted?: boolean;
}

/** The patched document, or why the patch is invalid. */
export function applyMergePatch(
  document: JsonMap,
  patch: unknown,
  { isSorted = false }: MergePatchOptions = {},
): unknown {
  if (!Array.isArray(patch) && !isMap(patch)) return new Invalid("Invalid JSON Patch");
  return withinStack<unknown>(
    [document, patch],
    () => (isMap(patch) ? mergeMaps(document, patch, isSorted) : withoutNulls(patch, isSorted)),
    (message) => new Invalid(message),
  );
}

function mergeMaps(document: JsonMap, patch: JsonMap, isSorted: boolean): JsonMap {
  const merged: Record<string, unknown> = {};
  for (const key in document) if (Object.hasOwn(document, key)) setOwn(merged, key, document[key]);
  for (const key in patch) {
    if (!Object.hasOwn(patch, key)) continue;
    const value = patch[key];
    if (value === null) delete merged[key];
    else setOwn(merged, key, mergeItem(Object.hasOwn(merged, key) ? merged[key] : null, value, isSorted));
  }
  return isSorted ? inOrder(merged) : merged;
}

export function inOrder(map: JsonMap): JsonMap {
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(map).sort(compareStrings)) setOwn(sorted, key, map[key]);
  return sorted;
}

function mergeItem(current: unknown, patch: unknown, isSorted: boolean): unknown {
  if (!isMap(current)) return withoutNulls(patch, isSorted);
  return isMap(patch) ? mergeMaps(current, patch, isSorted) : patch;
}

/** Members that are null are left out; items of lists stay in their places. */
function withoutNulls(value: unknown, isSorted: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, isSorted));
  if (!isMap(value)) return value;
  const rest: Record<string, unknown> = {};
  for (const key in value) {
    if (Object.hasOwn(value, key) && value[key] !== null) setOwn(rest, key, withoutNulls(value[key], isSorted));
  }
  return isSorted ? inOrder(rest) : rest;
}
