// Strategic merge patch: a patch of built-in kinds that knows which lists are merged by a key, with directives to delete, to replace, to
// keep only some keys and to set an order. Object and patch stay unchanged. Upstream: apimachinery pkg/util/strategicpatch/patch.go.

import type { GroupVersionKind, KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { badRequest, failure, type Status } from "@celadon/kube/status";
import { withinStack } from "../value/depth.ts";
import { isMap, type JsonMap, own, setOwn } from "../value/value.ts";
import { afterPrefix, DELETE_PREFIX, DIRECTIVE, ORDER_PREFIX, RETAIN_KEYS, withoutDirectives } from "./directives.ts";
import { fieldIn, itemsIn, type PatchType, patchTypeOf } from "./patch-type.ts";
import { type MergeItem, mergeLists } from "./strategic-list.ts";
import { mergeWithOrder } from "./strategic-order.ts";
import {
  BAD_PRIMITIVE_LIST,
  BAD_RETAIN_KEYS,
  BAD_SET_ORDER,
  badArgument,
  NO_LIST_OF_LISTS,
  StrategicProblem,
  UNSUPPORTED,
  unknownDirective,
} from "./strategic-problem.ts";

/** The patched object as plain data, or the answer to a patch that cannot be applied. */
export function applyStrategicPatch(object: KubeObject, patch: JsonMap, kind: GroupVersionKind): JsonMap | Status {
  const type = patchTypeOf(kind);
  const merged =
    type === undefined
      ? UNSUPPORTED
      : withinStack<JsonMap | StrategicProblem>(
          [object, patch],
          () => mergeMaps(object as JsonMap, patch, type),
          (message) => new StrategicProblem(message),
        );
  return merged instanceof StrategicProblem ? statusOf(merged) : merged;
}

const BAD_REQUESTS: ReadonlySet<StrategicProblem> = new Set([
  BAD_PRIMITIVE_LIST,
  BAD_RETAIN_KEYS,
  BAD_SET_ORDER,
  UNSUPPORTED,
]);

function statusOf(problem: StrategicProblem): Status {
  if (BAD_REQUESTS.has(problem)) return badRequest(problem.message);
  if (problem !== NO_LIST_OF_LISTS) return failure(undefined, problem.message);
  return failure("Invalid", "the server rejected our request due to an error in our request", {});
}

export function mergeMaps(original: JsonMap | undefined, patch: JsonMap, type: PatchType): JsonMap | StrategicProblem {
  if (Object.hasOwn(patch, DIRECTIVE)) return replaced(patch);
  const retained = retainKeys(original ?? {}, patch);
  if (retained instanceof StrategicProblem) return retained;
  const merged = copy(retained);
  const rest = copy(patch);
  delete rest[RETAIN_KEYS];
  const problem = mergeWithOrder(merged, rest, type, mergeItems);
  if (problem !== undefined) return problem;
  for (const key of Object.keys(rest)) {
    const failed = mergeMember(merged, key, rest[key], type);
    if (failed !== undefined) return failed;
  }
  return merged;
}

const mergeItems: MergeItem = mergeMaps;

function replaced(patch: JsonMap): JsonMap | StrategicProblem {
  const directive = patch[DIRECTIVE];
  if (directive === "delete") return {};
  if (directive === "replace") {
    const rest = copy(patch);
    delete rest[DIRECTIVE];
    return rest;
  }
  return unknownDirective(patch);
}

/** Keeps the fields of the original that `$retainKeys` names; all keys that the patch sets have to be in it. */
function retainKeys(original: JsonMap, patch: JsonMap): JsonMap | StrategicProblem {
  if (!Object.hasOwn(patch, RETAIN_KEYS)) return original;
  const keys = patch[RETAIN_KEYS];
  if (!Array.isArray(keys)) return BAD_RETAIN_KEYS;
  for (const key of Object.keys(patch)) {
    if (key === RETAIN_KEYS || patch[key] === null || key.startsWith(DELETE_PREFIX) || key.startsWith(ORDER_PREFIX))
      continue;
    if (!keys.includes(key)) return BAD_RETAIN_KEYS;
  }
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(original)) if (keys.includes(key)) setOwn(kept, key, original[key]);
  return kept;
}

function mergeMember(
  merged: Record<string, unknown>,
  written: string,
  value: unknown,
  type: PatchType,
): StrategicProblem | undefined {
  const isDeletion = written.startsWith(DELETE_PREFIX);
  const key = isDeletion ? afterPrefix(written, DELETE_PREFIX) : written;
  if (key === undefined) return BAD_PRIMITIVE_LIST;
  if (value === null) {
    delete merged[key];
    return undefined;
  }
  const current = own(merged, key);
  if (current === undefined || !sameGoType(current, value)) {
    if (!isDeletion) put(merged, key, withoutDirectives(withoutNulls(value)));
    return undefined;
  }
  if (isMap(current) && isMap(value)) return mergeStruct(merged, key, current, value, type);
  if (Array.isArray(current) && Array.isArray(value)) return mergeList(merged, key, current, value, type, isDeletion);
  put(merged, key, withoutDirectives(value));
  return undefined;
}

function mergeStruct(
  merged: Record<string, unknown>,
  key: string,
  current: JsonMap,
  value: JsonMap,
  type: PatchType,
): StrategicProblem | undefined {
  const field = fieldIn(type, key);
  if (field instanceof Invalid) return new StrategicProblem(field.message);
  const result = field.patch?.replace === true ? value : mergeMaps(current, value, field.type);
  if (result instanceof StrategicProblem) return result;
  setOwn(merged, key, result);
  return undefined;
}

function mergeList(
  merged: Record<string, unknown>,
  key: string,
  current: readonly unknown[],
  value: readonly unknown[],
  type: PatchType,
  isDeletion: boolean,
): StrategicProblem | undefined {
  const field = itemsIn(type, key);
  if (field instanceof Invalid) return new StrategicProblem(field.message);
  const result =
    field.patch?.merge === true || isDeletion
      ? mergeLists(current, value, field.type, field.patch?.mergeKey ?? "", isDeletion, mergeItems)
      : value;
  if (result instanceof StrategicProblem) return result;
  setOwn(merged, key, result);
  return undefined;
}

function sameGoType(a: unknown, b: unknown): boolean {
  return badArgument(a, b) === undefined;
}

function put(merged: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) delete merged[key];
  else setOwn(merged, key, value);
}

function copy(map: JsonMap): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key in map) if (Object.hasOwn(map, key)) setOwn(result, key, map[key]);
  return result;
}

/** Members that are null are left out, inside lists too; items that are null stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(value)) if (value[key] !== null) setOwn(rest, key, withoutNulls(value[key]));
  return rest;
}
