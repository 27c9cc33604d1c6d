// Patches as far as the scenarios need them: JSON merge patches and JSON patches whole; strategic merge patches with the merge
// keys of the lists named here; apply as a merge without field ownership.

import { badRequest, type Status } from "@celadon/kube";
import { isObject, type Json, type JsonObject } from "./json.ts";
import type { PatchType } from "./scenario.ts";

export function applyPatch(object: JsonObject, patch: Json, type: PatchType): JsonObject | Status {
  switch (type) {
    case "merge":
      return merge(object, patch) as JsonObject;
    case "json":
      return jsonPatch(object, patch);
    case "strategic":
    case "apply":
      return strategic(object, patch) as JsonObject;
  }
}

function merge(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: Record<string, Json> = { ...(isObject(target) ? target : {}) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merge(result[key], value);
  }
  return result;
}

/** Lists that are merged by a key of their items. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  matchConditions: "name",
  variables: "name",
  webhooks: "name",
  containers: "name",
  initContainers: "name",
  ephemeralContainers: "name",
  env: "name",
  volumes: "name",
};

function strategic(target: Json | undefined, patch: Json, field = ""): Json {
  if (Array.isArray(patch)) {
    const key = MERGE_KEYS[field];
    return key === undefined || !Array.isArray(target)
      ? clean(patch)
      : mergeList(target, patch as readonly Json[], key);
  }
  if (!isObject(patch)) return patch;
  if (patch.$patch === "replace") return clean(patch);
  const result: Record<string, Json> = { ...(isObject(target) ? target : {}) };
  for (const [name, value] of Object.entries(patch)) {
    if (name.startsWith("$")) continue;
    if (value === null) delete result[name];
    else result[name] = strategic(result[name], value, name);
  }
  return result;
}

// Items of the patch come first when they are new, as the server orders them.
function mergeList(target: readonly Json[], patch: readonly Json[], key: string): Json {
  const idOf = (item: Json): Json | undefined => (isObject(item) ? item[key] : undefined);
  const result = [...target];
  const added: Json[] = [];
  for (const item of patch) {
    if (!isObject(item)) continue;
    const at = result.findIndex((old) => idOf(old) === item[key]);
    if (item.$patch === "delete") {
      if (at !== -1) result.splice(at, 1);
    } else if (at === -1) added.push(clean(item));
    else result[at] = strategic(result[at], item);
  }
  return [...added, ...result];
}

function clean(value: Json): Json {
  if (Array.isArray(value)) return value.filter((item) => !(isObject(item) && item.$patch === "delete")).map(clean);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([k, v]) => (k.startsWith("$") ? [] : [[k, clean(v)]])),
  ) as JsonObject;
}

function jsonPatch(object: JsonObject, patch: Json): JsonObject | Status {
  let result: Json = object;
  for (const operation of Array.isArray(patch) ? (patch as readonly JsonObject[]) : []) {
    const path = String(operation.path).split("/").slice(1).map(unescapePointer);
    switch (operation.op) {
      case "add":
      case "replace":
        result = edit(result, path, (parent, key) => set(parent, key, operation.value!, operation.op === "add"));
        break;
      case "remove":
        result = edit(result, path, unset);
        break;
      default:
        return badRequest(`patch operation ${String(operation.op)} is not supported here`);
    }
  }
  return result as JsonObject;
}

function unescapePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

function edit(value: Json, path: readonly string[], change: (parent: Json, key: string) => Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (rest.length === 0) return change(value, key);
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === key ? edit(item, rest, change) : item));
  if (!isObject(value)) return value;
  return { ...value, [key]: edit(value[key] ?? {}, rest, change) };
}

function set(parent: Json, key: string, value: Json, insert: boolean): Json {
  if (!Array.isArray(parent)) return { ...(parent as JsonObject), [key]: value };
  const at = key === "-" ? parent.length : Number(key);
  return insert
    ? [...parent.slice(0, at), value, ...parent.slice(at)]
    : parent.map((item, i) => (i === at ? value : item));
}

function unset(parent: Json, key: string): Json {
  if (Array.isArray(parent)) return parent.filter((_, i) => String(i) !== key);
  const { [key]: _, ...rest } = parent as Record<string, Json>;
  return rest;
}
