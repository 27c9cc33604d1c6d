// Lists in a strategic merge patch. Texts and numbers are united; maps are merged by their key, where a map may be a directive that
// deletes an item or has the patch replace the list. What the patch names comes in its order, the rest where it was.

import { formatGoValue } from "@celadon/kube";
import { formOf, isMap, type JsonMap, own, sameValue } from "../value/value.ts";
import { DIRECTIVE } from "./directives.ts";
import type { PatchType } from "./patch-type.ts";
import { NO_LIST_OF_LISTS, noMergeKey, StrategicProblem, unknownDirective } from "./strategic-problem.ts";

export type MergeItem = (original: JsonMap | undefined, patch: JsonMap, type: PatchType) => JsonMap | StrategicProblem;
type List = readonly unknown[];

export function mergeLists(
  original: List,
  patch: List,
  type: PatchType,
  mergeKey: string,
  isDeletion: boolean,
  mergeItem: MergeItem,
): List | StrategicProblem {
  if (original.length === 0 && patch.length === 0) return original;
  const form = formOfItems(original, patch);
  if (form instanceof StrategicProblem) return form;
  if (form !== "map") {
    if (isDeletion) return original.filter((item) => !patch.some((gone) => same(item, gone)));
    return inOrder(unite(original, patch), patch, original, undefined);
  }
  if (mergeKey === "") return new StrategicProblem(`cannot merge lists without merge key for ${type.kind}`);
  const special = withoutSpecial(original, patch as readonly JsonMap[], mergeKey);
  if (special instanceof StrategicProblem) return special;
  const merged = mergeByKey(special.original, special.patch, type, mergeKey, mergeItem);
  return merged instanceof StrategicProblem ? merged : inOrder(merged, special.patch, special.original, mergeKey);
}

/** The one form all items have. */
export function formOfItems(...lists: readonly List[]): string | StrategicProblem {
  let form: string | undefined;
  for (const item of lists.flat(1)) {
    const next = formOf(item);
    if (form === undefined && next === "list") return NO_LIST_OF_LISTS;
    form ??= next;
    if (form !== next) {
      return new StrategicProblem(`list element types are not identical: ${formatGoValue(lists)}`);
    }
  }
  return form ?? new StrategicProblem("no elements in any of the given slices");
}

interface Lists {
  readonly original: List;
  readonly patch: readonly JsonMap[];
}

function withoutSpecial(list: List, patch: readonly JsonMap[], mergeKey: string): Lists | StrategicProblem {
  let original = list;
  let isReplaced = false;
  const rest: JsonMap[] = [];
  for (const item of patch) {
    if (!Object.hasOwn(item, DIRECTIVE)) {
      rest.push(item);
      continue;
    }
    switch (item[DIRECTIVE]) {
      case "delete": {
        if (!Object.hasOwn(item, mergeKey)) return noMergeKey(item, mergeKey);
        const gone = deleteByKey(original, mergeKey, item[mergeKey]);
        if (gone instanceof StrategicProblem) return gone;
        original = gone;
        break;
      }
      case "replace":
        isReplaced = true;
        break;
      case "merge":
        return new StrategicProblem("merging lists cannot yet be specified in the patch");
      default:
        return unknownDirective(item);
    }
  }
  return isReplaced ? { original: rest, patch: [] } : { original, patch: rest };
}

function deleteByKey(list: List, mergeKey: string, value: unknown): List | StrategicProblem {
  let rest = list;
  for (;;) {
    const at = placeOf(rest, mergeKey, value);
    if (at instanceof StrategicProblem) return at;
    if (at === -1) return rest;
    rest = rest.toSpliced(at, 1);
  }
}

/** Where the item with this key is; -1 if there is none. */
function placeOf(list: List, mergeKey: string, value: unknown): number | StrategicProblem {
  for (const [i, item] of list.entries()) {
    if (!isMap(item)) return new StrategicProblem(`value for key ${i} is not a map`);
    if (Object.hasOwn(item, mergeKey) && same(item[mergeKey], value)) return i;
  }
  return -1;
}

function mergeByKey(
  original: List,
  patch: readonly JsonMap[],
  type: PatchType,
  mergeKey: string,
  mergeItem: MergeItem,
): List | StrategicProblem {
  const merged = [...original];
  for (const item of patch) {
    if (!Object.hasOwn(item, mergeKey)) return noMergeKey(item, mergeKey);
    const at = placeOf(merged, mergeKey, item[mergeKey]);
    if (at instanceof StrategicProblem) return at;
    if (at === -1) {
      merged.push(item);
      continue;
    }
    const both = mergeItem(merged[at] as JsonMap, item, type);
    if (both instanceof StrategicProblem) return both;
    merged[at] = both;
  }
  return merged;
}

/**
 * Items that `order` names in its order, the others in the server's, put together as far as the server's order tells. Maps are told
 * apart by their key, all else by itself.
 */
export function inOrder(
  merged: List,
  order: List,
  server: List,
  mergeKey: string | undefined,
): List | StrategicProblem {
  if (mergeKey !== undefined) {
    for (const item of [...merged, ...order, ...server]) {
      const problem = keyProblem(item, mergeKey);
      if (problem !== undefined) return problem;
    }
  }
  const keyOf = (item: unknown): unknown => (mergeKey === undefined ? item : own(item as JsonMap, mergeKey));
  const rank = (list: List, item: unknown): number => list.findIndex((other) => same(keyOf(other), keyOf(item)));
  const sorted = (items: List, by: List): List =>
    items
      .map((item) => ({ item, at: rank(by, item) }))
      .sort((a, b) => (a.at >= 0 && b.at >= 0 ? a.at - b.at : -1))
      .map(({ item }) => item);
  const inPatch = merged.filter((item) => rank(order, item) >= 0);
  const serverOnly = merged.filter((item) => rank(order, item) < 0);
  return interleave(sorted(serverOnly, server), sorted(inPatch, order), (item) => rank(server, item));
}

function keyProblem(item: unknown, mergeKey: string): StrategicProblem | undefined {
  if (!isMap(item)) {
    return new StrategicProblem(`expected a map[string]interface {}, but received a ${formOf(item)}`);
  }
  return Object.hasOwn(item, mergeKey) ? undefined : noMergeKey(item, mergeKey);
}

/** Two lists as one: an item of the first goes before the next of the second only if the server had it so. */
function interleave(left: List, right: List, rank: (item: unknown) => number): unknown[] {
  const all: unknown[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (j >= right.length) all.push(left[i++]);
    else if (i >= left.length) all.push(right[j++]);
    else {
      const [l, r] = [rank(left[i]), rank(right[j])];
      all.push(l >= 0 && r >= 0 && l < r ? left[i++] : right[j++]);
    }
  }
  return all;
}

function unite(original: List, patch: List): List {
  const all: unknown[] = [];
  for (const item of [...original, ...patch]) if (!all.some((other) => same(other, item))) all.push(item);
  return all;
}

/** Go's own equality: an integer is not the same as a double of its value, and maps and lists are the same as nothing. */
export function same(a: unknown, b: unknown): boolean {
  const form = formOf(a);
  return form === formOf(b) && form !== "map" && form !== "list" && sameValue(a, b);
}
