// Random objects of built-in kinds, and strategic merge patches of them with all their directives.

import { builtinSchema } from "@celadon/kube/builtin";

const KINDS = [
  ["", "v1", "Pod"],
  ["", "v1", "Pod"],
  ["apps", "v1", "Deployment"],
  ["apps", "v1", "StatefulSet"],
  ["", "v1", "Service"],
  ["", "v1", "Node"],
  ["", "v1", "ConfigMap"],
  ["policy", "v1", "PodDisruptionBudget"],
  ["batch", "v1", "CronJob"],
  ["networking.k8s.io", "v1", "Ingress"],
  ["admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration"],
];

export function builtinKindOf(r) {
  const [Group, Version, Kind] = r.pick(KINDS);
  return { kind: { Group, Version, Kind }, schema: builtinSchema({ group: Group, version: Version, kind: Kind }) };
}

const TEXTS = ["a", "b", "c"];
const KEYS = [
  "name",
  "containerPort",
  "port",
  "mountPath",
  "ip",
  "type",
  "devicePath",
  "topologyKey",
  "key",
  "uid",
  "protocol",
  "whenUnsatisfiable",
];

export function builtinValue(r, schema, depth = 0) {
  if (schema.intOrString) return r.pick([1, "a"]);
  switch (schema.type) {
    case "integer":
      return 1 + r.below(3);
    case "number":
      return r.pick([1.5, 2.25]);
    case "boolean":
      return r.chance(0.5);
    case "array":
      return uniqueItems(Array.from({ length: r.below(4) }, () => builtinValue(r, schema.items, depth + 1)));
    case "object":
      return builtinMap(r, schema, depth);
    default:
      return schema.preserveUnknownFields
        ? { a: r.pick(TEXTS) }
        : schema.format === "date-time"
          ? "2020-01-01T00:00:00Z"
          : r.pick(TEXTS);
  }
}

function uniqueItems(list) {
  const seen = new Set();
  return list.filter((item) => {
    const identity = JSON.stringify(typeof item === "object" ? KEYS.map((key) => item[key]) : item);
    return !seen.has(identity) && seen.add(identity);
  });
}

const DEPTH = [0.5, 0.5, 0.4, 0.25, 0.2, 0.15, 0.1, 0.05, 0.03];

function builtinMap(r, schema, depth) {
  const map = {};
  const chance = DEPTH[depth] ?? 0;
  for (const [name, property] of schema.properties ?? []) {
    if (name === "managedFields" || name === "apiVersion" || name === "kind") continue;
    const wanted = KEYS.includes(name)
      ? 0.97
      : ["spec", "template", "containers", "metadata", "ports", "webhooks"].includes(name)
        ? 0.9
        : chance;
    if (depth < 9 && r.chance(wanted)) map[name] = builtinValue(r, property, depth + 1);
  }
  if (typeof schema.additionalProperties === "object") {
    for (const name of TEXTS) if (r.chance(0.5)) map[name] = builtinValue(r, schema.additionalProperties, depth + 1);
  }
  return map;
}

/** A patch of an object: members changed, null, dropped, or with directives. */
export function strategicPatch(r, schema, value, depth = 0) {
  if (Array.isArray(value)) return listPatch(r, schema, value, depth);
  if (typeof value !== "object" || value === null) return r.chance(0.4) ? value : builtinValue(r, schema, depth);
  const map = {};
  if (depth > 0 && r.chance(0.04)) map.$patch = r.pick(["replace", "delete", "replace", "merge", 1]);
  for (const [name, item] of Object.entries(value)) {
    const property =
      schema.properties?.get(name) ??
      (typeof schema.additionalProperties === "object" ? schema.additionalProperties : {});
    if (r.chance(0.45)) continue;
    if (r.chance(0.08)) map[name] = null;
    else if (r.chance(0.01)) map[name] = r.pick(["x", 1, [], {}]);
    else map[name] = strategicPatch(r, property, item, depth + 1);
    if (!Array.isArray(item) || !r.chance(0.3)) continue;
    if (r.chance(0.5) && typeof item[0] !== "object")
      map[`$deleteFromPrimitiveList/${name}`] = item.filter(() => r.chance(0.5));
    else map[`$setElementOrder/${name}`] = order(r, item, map[name]);
  }
  for (const [name, property] of schema.properties ?? []) {
    if (!Object.hasOwn(value, name) && depth < 6 && r.chance(0.04)) map[name] = builtinValue(r, property, depth + 1);
  }
  if (r.chance(0.05))
    map.$retainKeys = r.chance(0.1)
      ? "x"
      : [...new Set([...Object.keys(map), ...Object.keys(value)])].filter(
          (key) => !key.startsWith("$") && r.chance(0.95),
        );
  if (r.chance(0.005)) map["$setElementOrder/nothing"] = [];
  if (r.chance(0.003)) map.$setElementOrder = [];
  return map;
}

function listPatch(r, schema, list, depth) {
  const items = schema.items ?? {};
  const patch = [];
  for (const item of list) {
    if (r.chance(0.4)) continue;
    if (typeof item === "object" && item !== null && !Array.isArray(item)) {
      const changed = strategicPatch(r, items, item, depth + 1);
      for (const key of KEYS) if (Object.hasOwn(item, key) && r.chance(0.97)) changed[key] = item[key];
      if (r.chance(0.12)) changed.$patch = r.pick(["delete", "delete", "replace", "merge", "x"]);
      patch.push(changed);
    } else patch.push(item);
  }
  if (r.chance(0.4) && schema.items) patch.push(builtinValue(r, items, depth + 1));
  if (r.chance(0.03)) patch.push({ $patch: "replace" });
  if (r.chance(0.2)) patch.reverse();
  return patch;
}

function order(r, list, patch) {
  const all = [...(Array.isArray(patch) ? patch : []), ...list.filter(() => r.chance(0.5))];
  const cut = all
    .filter((item) => item?.$patch === undefined)
    .map((item) =>
      typeof item === "object" && item !== null
        ? Object.fromEntries(KEYS.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]))
        : item,
    );
  const seen = new Set();
  const unique = cut.filter((item) => !seen.has(JSON.stringify(item)) && seen.add(JSON.stringify(item)));
  return r.chance(0.1) ? unique.reverse() : unique;
}
