// Compares two schemas, keyword by keyword. Whether objects mind is found by asking them; this says what to look at.

import { deepEqual, isRecord, pushAll } from "@celadon/base";
import type { JsonSchema } from "../schema/json-schema.ts";
import { schemaPairs } from "./schema-pairs.ts";

/** A keyword of a schema that changed, and whether fewer objects are valid now. */
export interface SchemaChange {
  /** `spec.ports[*].name`; empty for the root. */
  readonly field: string;
  /** The keyword as written in schemas; `property` for a field that came or went. */
  readonly keyword: string;
  readonly was?: unknown;
  readonly now?: unknown;
  /** Whether less is valid than before, or more. `pruned`: the field is gone, and its values with it. `other`: neither, or both. */
  readonly effect: "tighter" | "looser" | "pruned" | "other";
}

type Effect = SchemaChange["effect"];
type Judge = (was: unknown, now: unknown) => Effect;

const appears: Judge = (was, now) => (was === undefined ? "tighter" : now === undefined ? "looser" : "other");
const upper: Judge = (was, now) =>
  was === undefined || now === undefined ? appears(was, now) : Number(now) < Number(was) ? "tighter" : "looser";
const lower: Judge = (was, now) =>
  was === undefined || now === undefined ? appears(was, now) : Number(now) > Number(was) ? "tighter" : "looser";
const allows: Judge = (_, now) => (now === true ? "looser" : "tighter");
const forbids: Judge = (_, now) => (now === true ? "tighter" : "looser");
const other: Judge = () => "other";
const values: Judge = (was, now) => {
  if (!Array.isArray(was) || !Array.isArray(now)) return appears(was, now);
  return was.every((value) => now.some((two) => deepEqual(value, two))) ? "looser" : "tighter";
};

// biome-ignore format: one keyword per line
const KEYWORDS: readonly (readonly [keyof JsonSchema, Judge])[] = [
  ["type",                                 () => "tighter"],
  ["nullable",                             allows],
  ["format",                               appears],
  ["default",                              other],
  ["maximum",                              upper],
  ["exclusiveMaximum",                     forbids],
  ["minimum",                              lower],
  ["exclusiveMinimum",                     forbids],
  ["maxLength",                            upper],
  ["minLength",                            lower],
  ["pattern",                              appears],
  ["maxItems",                             upper],
  ["minItems",                             lower],
  ["uniqueItems",                          forbids],
  ["multipleOf",                           appears],
  ["enum",                                 values],
  ["maxProperties",                        upper],
  ["minProperties",                        lower],
  ["allOf",                                appears],
  ["oneOf",                                appears],
  ["anyOf",                                appears],
  ["not",                                  appears],
  ["x-kubernetes-preserve-unknown-fields", allows],
  ["x-kubernetes-embedded-resource",       forbids],
  ["x-kubernetes-int-or-string",           allows],
  ["x-kubernetes-list-type",               other],
  ["x-kubernetes-list-map-keys",           other],
  ["x-kubernetes-map-type",                other],
];

/** Keywords whose lists have no order. */
const SETS: ReadonlySet<keyof JsonSchema> = new Set(["enum", "x-kubernetes-list-map-keys"]);

function hasSameValues(was: unknown, now: unknown): boolean {
  if (!Array.isArray(was) || !Array.isArray(now) || was.length !== now.length) return false;
  const keys = (list: readonly unknown[]): string =>
    list
      .map((value) => stableJson(value))
      .sort()
      .join("\n");
  return keys(was) === keys(now);
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === "bigint") return `${item}n`;
    return isRecord(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item;
  });
}

/** Compares two schemas, field by field. */
export function compareSchemas(was: JsonSchema, now: JsonSchema): readonly SchemaChange[] {
  const changes: SchemaChange[] = [];
  for (const pair of schemaPairs(was, now)) {
    const { field } = pair;
    if (pair.was === undefined || pair.now === undefined) {
      const effect = pair.was === undefined ? "looser" : "pruned";
      changes.push({ field, keyword: "property", ...sides(pair.was?.type, pair.now?.type), effect });
      continue;
    }
    pushAll(changes, requiredChanges(field, pair.was, pair.now));
    for (const [keyword, judge] of KEYWORDS) {
      const [before, after] = [pair.was[keyword], pair.now[keyword]];
      if (!deepEqual(before, after) && !(SETS.has(keyword) && hasSameValues(before, after)))
        changes.push({ field, keyword, ...sides(before, after), effect: judge(before, after) });
    }
  }
  return changes;
}

function requiredChanges(field: string, was: JsonSchema, now: JsonSchema): SchemaChange[] {
  const [before, after] = [was.required ?? [], now.required ?? []];
  const change = (name: string, effect: Effect): SchemaChange => ({
    field: field === "" ? name : `${field}.${name}`,
    keyword: "required",
    was: effect === "looser",
    now: effect === "tighter",
    effect,
  });
  return [
    ...after.filter((name) => !before.includes(name)).map((name) => change(name, "tighter")),
    ...before.filter((name) => !after.includes(name)).map((name) => change(name, "looser")),
  ];
}

function sides(was: unknown, now: unknown): Pick<SchemaChange, "was" | "now"> {
  return { ...(was !== undefined && { was }), ...(now !== undefined && { now }) };
}
