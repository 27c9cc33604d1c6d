// Lists in a strategic merge patch. Texts and numbers are united; maps are merged by their key, where a map may be a directive that deletes
// an item or has the patch replace the list. Items that the patch names come in its order, the others stay in place.

import { formatGoValue } from "@celadon/base";
import { formOf, isMap, type JsonMap, own, sameValue } from "../value/value.ts";
import { DIRECTIVE } from "./directives.ts";
import type { PatchType } from "./patch-type.ts";
import { identityOf, KeyedItems, Places } from "./places.ts";
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
    if (isDeletion) {
      const gone = new Places(patch, itself);
      return original.filter((item) => gone.of(item) === -1);
    }
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
  const deleted = new Set<string>();
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
        const id = identityOf(item[mergeKey]);
        if (id !== undefined) deleted.add(id);
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
  if (isReplaced) return { original: rest, patch: [] };
  const isLeft = (item: unknown): boolean => !deleted.has(identityOf(keyIn(item, mergeKey)) ?? "");
  return { original: deleted.size === 0 ? list : list.filter(isLeft), patch: rest };
}

const itself = (item: unknown): unknown => item;

/** All items are maps by now. One without the key is distinguished from those where it is null. */
const keyIn = (item: unknown, mergeKey: string): unknown =>
  Object.hasOwn(item as JsonMap, mergeKey) ? (item as JsonMap)[mergeKey] : NO_KEY;
const NO_KEY: readonly never[] = [];

function mergeByKey(
  original: List,
  patch: readonly JsonMap[],
  type: PatchType,
  mergeKey: string,
  mergeItem: MergeItem,
): List | StrategicProblem {
  const merged = [...original];
  const places = new KeyedItems();
  for (const [i, item] of merged.entries()) places.add(keyIn(item, mergeKey), i);
  for (const item of patch) {
    if (!Object.hasOwn(item, mergeKey)) return noMergeKey(item, mergeKey);
    const key = item[mergeKey];
    const at = places.first(key);
    if (at === undefined) {
      places.add(key, merged.push(item) - 1);
      continue;
    }
    const both = mergeItem(merged[at] as JsonMap, item, type);
    if (both instanceof StrategicProblem) return both;
    merged[at] = both;
    // `$retainKeys` may have dropped the key.
    if (!Object.hasOwn(both, mergeKey)) places.dropFirst(key);
  }
  return merged;
}

/**
 * Items that `order` names in its order, the others in the server's, put together as far as the server's order tells. Maps are identified
 * by their key, other values by themselves.
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
  const [inOrderOf, inServer] = [new Places(order, keyOf), new Places(server, keyOf)];
  const rank = (places: Places, item: unknown): number => places.of(keyOf(item));
  const sorted = (items: List, by: Places): List =>
    items
      .map((item) => ({ item, at: rank(by, item) }))
      .sort((a, b) => (a.at >= 0 && b.at >= 0 ? a.at - b.at : -1))
      .map(({ item }) => item);
  const inPatch = merged.filter((item) => rank(inOrderOf, item) >= 0);
  const serverOnly = merged.filter((item) => rank(inOrderOf, item) < 0);
  return interleave(sorted(serverOnly, inServer), sorted(inPatch, inOrderOf), (item) => rank(inServer, item));
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
  const all = new Map<string, unknown>();
  for (const item of [...original, ...patch]) {
    const id = identityOf(item)!;
    if (!all.has(id)) all.set(id, item);
  }
  return [...all.values()];
}

/** Go's own equality: an integer is not the same as a double of its value, and maps and lists are the same as nothing. */
export function isSameItem(a: unknown, b: unknown): boolean {
  const form = formOf(a);
  return form === formOf(b) && form !== "map" && form !== "list" && sameValue(a, b);
}
