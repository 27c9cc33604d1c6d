// `$setElementOrder/<list>`: the order a client saw or wants. Each such list is merged with the patch's list of the same field, checked
// against it, and put in that order; items that only the server has keep their place as far as possible.

import { formatGoValue } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import { isMap, type JsonMap, own, setOwn } from "../value/value.ts";
import { afterPrefix, DIRECTIVE, ORDER_PREFIX, withoutDirectives } from "./directives.ts";
import { itemsIn, type PatchType } from "./patch-type.ts";
import { formOfItems, inOrder, isSameItem, type MergeItem, mergeLists } from "./strategic-list.ts";
import { BAD_SET_ORDER, badArgument, noMergeKey, StrategicProblem } from "./strategic-problem.ts";

type List = readonly unknown[];

/** Takes the lists with an order out of the patch and merges them. Both maps are the caller's to change. */
export function mergeWithOrder(
  merged: Record<string, unknown>,
  patch: Record<string, unknown>,
  type: PatchType,
  mergeItem: MergeItem,
): StrategicProblem | undefined {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(ORDER_PREFIX)) continue;
    const order = patch[key];
    delete patch[key];
    if (!Array.isArray(order)) return badArgument([], order);
    const field = afterPrefix(key, ORDER_PREFIX);
    if (field === undefined) return BAD_SET_ORDER;
    const problem = mergeField(merged, patch, field, order, type, mergeItem);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function mergeField(
  merged: Record<string, unknown>,
  patch: Record<string, unknown>,
  field: string,
  order: List,
  type: PatchType,
  mergeItem: MergeItem,
): StrategicProblem | undefined {
  const [original, changes] = [own(merged, field), own(patch, field)];
  for (const list of [original, changes]) {
    if (list !== undefined && !Array.isArray(list)) return badArgument([], list);
  }
  const about = itemsIn(type, field);
  if (about instanceof Invalid) return new StrategicProblem(about.message);
  const mergeKey = about.patch?.mergeKey ?? "";
  const [live, wanted] = [(original ?? []) as List, (changes ?? []) as List];
  const problem = orderProblem(wanted, order, mergeKey);
  if (problem !== undefined) return problem;
  if (original === undefined && changes === undefined) return undefined;
  const both =
    changes === undefined
      ? live
      : original === undefined
        ? (withoutDirectives(wanted) as List)
        : about.patch?.merge === true
          ? mergeLists(live, wanted, about.type, mergeKey, false, mergeItem)
          : wanted;
  if (both instanceof StrategicProblem) return both;
  const form = formOfItems(live, wanted);
  if (form instanceof StrategicProblem) return form;
  const sorted = inOrder(both, order, live, form === "map" ? mergeKey : undefined);
  if (sorted instanceof StrategicProblem) return sorted;
  setOwn(merged, field, sorted);
  delete patch[field];
  return undefined;
}

/** The patch's items have to come in the order that is set, and be part of it. Items to delete do not count. */
function orderProblem(patch: List, order: List, mergeKey: string): StrategicProblem | undefined {
  if (patch.length === 0 || order.length === 0) return undefined;
  const items: unknown[] = [];
  for (const item of patch) {
    if (mergeKey !== "" && !isMap(item)) return badArgument({}, item);
    if (mergeKey === "" || (item as JsonMap)[DIRECTIVE] !== "delete") items.push(item);
  }
  let [i, j] = [0, 0];
  while (i < items.length && j < order.length) {
    const item = items[i];
    if (isMap(item) && Object.hasOwn(item, DIRECTIVE)) {
      i++;
      continue;
    }
    const equal = sameKey(item, order[j], mergeKey);
    if (equal instanceof StrategicProblem) return equal;
    if (equal) i++;
    j++;
  }
  if (i >= items.length || j < order.length) return undefined;
  return new StrategicProblem(
    `The order in patch list:\n${formatGoValue(patch)}\n doesn't match ${ORDER_PREFIX} list:\n${formatGoValue(order)}\n`,
  );
}

function sameKey(item: unknown, other: unknown, mergeKey: string): boolean | StrategicProblem {
  if (mergeKey === "") return isSameItem(item, other);
  if (!isMap(item)) return badArgument({}, item)!;
  if (!isMap(other)) return badArgument({}, other)!;
  if (!Object.hasOwn(item, mergeKey)) return noMergeKey(item, mergeKey);
  if (!Object.hasOwn(other, mergeKey)) return noMergeKey(other, mergeKey);
  return isSameItem(item[mergeKey], other[mergeKey]);
}
