// Random schemas, objects and patches from a seed, small enough that keys and values meet often.

export function random(seed) {
  let state = seed >>> 0 || 1;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n) => Math.floor(next() * n);
  return { chance: (p) => next() < p, below, pick: (list) => list[below(list.length)] };
}

const NAMES = ["a", "b", "c", "d"];
const TEXTS = ["", "x", "y", 'z"<', "w"];

export function randomSchema(r, depth = 0) {
  const roll = r.below(depth > 3 ? 7 : 14);
  switch (roll) {
    case 0:
    case 1:
      return { type: "string" };
    case 2:
      return { type: "integer" };
    case 3:
      return { type: "boolean" };
    case 4:
      return { type: "number" };
    case 5:
      return r.pick([
        { "x-kubernetes-int-or-string": true },
        { "x-kubernetes-preserve-unknown-fields": true },
        { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        { type: "string", format: "date-time" },
        { type: "string", format: "byte" },
        { type: "object" },
      ]);
    case 6:
    case 7:
      return { type: "array", items: { type: r.pick(["string", "integer"]) }, "x-kubernetes-list-type": "set" };
    case 8:
      return {
        type: "array",
        items: randomSchema(r, depth + 1),
        ...(r.chance(0.5) && { "x-kubernetes-list-type": "atomic" }),
      };
    case 9:
    case 10:
      return keyedList(r, depth);
    case 11:
      return {
        type: "object",
        additionalProperties: randomSchema(r, depth + 1),
        ...(r.chance(0.2) && { "x-kubernetes-map-type": r.pick(["atomic", "granular"]) }),
      };
    default:
      return randomStruct(r, depth);
  }
}

export function randomStruct(r, depth) {
  const properties = {};
  for (const name of NAMES) if (r.chance(0.7)) properties[name] = randomSchema(r, depth + 1);
  return {
    type: "object",
    properties,
    ...(depth > 0 && r.chance(0.15) && { "x-kubernetes-map-type": "atomic" }),
    ...(r.chance(0.1) && { "x-kubernetes-preserve-unknown-fields": true }),
  };
}

function keyedList(r, depth) {
  const keys = r.chance(0.3) ? ["k", "l"] : ["k"];
  const item = randomStruct(r, depth + 1);
  delete item["x-kubernetes-map-type"];
  for (const key of keys) {
    const type = r.pick(["string", "integer"]);
    item.properties[key] = {
      type,
      ...(r.chance(0.25) && { default: type === "string" ? r.pick(["", "x"]) : r.below(2) }),
    };
  }
  return { type: "array", items: item, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys };
}

/** A value of a schema; `wild` is how often it is something else, `duplicates` whether keys may repeat. */
export function randomValue(r, schema, { wild = 0, duplicates = 0 } = {}, depth = 0) {
  const options = { wild, duplicates };
  if (r.chance(wild)) return r.pick([null, "t", 1, true, {}, [], { a: 1 }, ["x"], 1.5]);
  if (r.chance(0.03)) return null;
  switch (schema.type) {
    case "string":
      return r.pick(TEXTS);
    case "integer":
      return r.below(3);
    case "number":
      return r.pick([0, 1, 1.5, 2.25]);
    case "boolean":
      return r.chance(0.5);
    case "array":
      return randomList(r, schema, options, depth);
    case "object":
      return randomMap(r, schema, options, depth);
    default:
      if (schema["x-kubernetes-int-or-string"]) return r.pick([1, "x", 0]);
      return anything(r, depth);
  }
}

function anything(r, depth) {
  const roll = r.below(depth > 4 ? 4 : 8);
  if (roll < 4) return r.pick(["x", 1, true, 1.5]);
  if (roll < 6)
    return Object.fromEntries(NAMES.filter(() => r.chance(0.4)).map((name) => [name, anything(r, depth + 1)]));
  return Array.from({ length: r.below(3) }, () => anything(r, depth + 1));
}

function randomList(r, schema, options, depth) {
  const type = schema["x-kubernetes-list-type"];
  const list = Array.from({ length: r.below(5) }, () => randomValue(r, schema.items, options, depth + 1));
  if (type !== "set" && type !== "map") return list;
  const keys = schema["x-kubernetes-list-map-keys"];
  const usable = list.filter((item) => item !== null || r.chance(0.02));
  if (type === "map") {
    for (const item of usable) {
      if (typeof item !== "object" || item === null || Array.isArray(item)) continue;
      for (const key of keys) if (r.chance(0.9)) item[key] = keyValue(r, schema.items.properties[key]);
    }
  }
  if (r.chance(options.duplicates)) return usable;
  const seen = new Set();
  return usable.filter((item) => {
    const identity =
      type === "set"
        ? JSON.stringify(item)
        : JSON.stringify(keys.map((key) => item?.[key] ?? schema.items.properties[key].default));
    return !seen.has(identity) && seen.add(identity);
  });
}

const keyValue = (r, { type }) => (type === "string" ? r.pick(TEXTS) : r.below(3));

function randomMap(r, schema, options, depth) {
  const map = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (r.chance(0.55)) map[name] = randomValue(r, property, options, depth + 1);
  }
  const others = schema.additionalProperties;
  for (const name of [...NAMES, "__proto__"]) {
    if (Object.hasOwn(map, name) || Object.hasOwn(schema.properties ?? {}, name)) continue;
    if (typeof others === "object") {
      if (r.chance(0.4)) set(map, name, randomValue(r, others, options, depth + 1));
    } else if (schema["x-kubernetes-preserve-unknown-fields"] || schema.properties === undefined) {
      if (r.chance(0.3)) set(map, name, anything(r, depth + 1));
    } else if (r.chance(options.wild / 4)) set(map, name, 1);
  }
  return map;
}

function set(map, name, value) {
  Object.defineProperty(map, name, { value, writable: true, enumerable: true, configurable: true });
}

/** An object like another: some members changed, dropped or added. */
export function similar(r, schema, value, options, depth = 0) {
  if (r.chance(0.12)) return randomValue(r, schema, options, depth);
  if (Array.isArray(value)) {
    if (schema.type !== "array") return value;
    const kept = value.filter(() => r.chance(0.85)).map((item) => similar(r, schema.items, item, options, depth + 1));
    if (r.chance(0.25)) {
      const more = randomList(r, schema, options, depth);
      return dedupe([...kept, ...more], schema, r.chance(options.duplicates ?? 0));
    }
    if (r.chance(0.2)) kept.reverse();
    return dedupe(kept, schema, false);
  }
  if (typeof value !== "object" || value === null)
    return r.chance(0.8) ? value : randomValue(r, schema, options, depth);
  const map = {};
  for (const [name, item] of Object.entries(value)) {
    if (r.chance(0.12)) continue;
    const property =
      schema.properties?.[name] ??
      (typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined);
    set(map, name, property === undefined ? item : similar(r, property, item, options, depth + 1));
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, name) && r.chance(0.12)) map[name] = randomValue(r, property, options, depth + 1);
  }
  return map;
}

function dedupe(list, schema, allowed) {
  const type = schema["x-kubernetes-list-type"];
  if (allowed || (type !== "set" && type !== "map")) return list;
  const keys = schema["x-kubernetes-list-map-keys"];
  const seen = new Set();
  return list.filter((item) => {
    const identity =
      type === "set"
        ? JSON.stringify(item)
        : JSON.stringify(keys.map((key) => item?.[key] ?? schema.items.properties[key].default));
    return !seen.has(identity) && seen.add(identity);
  });
}
