// The differences between two schemas, sets of rules and lists of versions.

import { expect, test } from "vitest";
import type { CustomResourceDefinition } from "../definition/definition.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { accepted, widgetDefinition, withProperties } from "../widgets.testing.ts";
import { compareCosts } from "./compare-costs.ts";
import { compareDefinitions } from "./compare-definitions.ts";
import { compareRules } from "./compare-rules.ts";
import { compareSchemas } from "./compare-schemas.ts";
import { compareVersions } from "./compare-versions.ts";

const STRING: JsonSchema = { type: "string" };
const of = (a: JsonSchema): JsonSchema => ({ type: "object", properties: { a } });

// biome-ignore format: one case per line
const cases: [was: JsonSchema, now: JsonSchema, want: string[]][] = [
  [STRING, STRING, []],
  [STRING, { ...STRING, description: "words" }, []],
  [STRING, { type: "integer" }, ["a type: string → integer, tighter"]],
  [STRING, { ...STRING, maxLength: 9 }, ["a maxLength: → 9, tighter"]],
  [{ ...STRING, maxLength: 9 }, { ...STRING, maxLength: 12 }, ["a maxLength: 9 → 12, looser"]],
  [{ ...STRING, maxLength: 9 }, { ...STRING, maxLength: 6 }, ["a maxLength: 9 → 6, tighter"]],
  [{ ...STRING, minLength: 9 }, { ...STRING, minLength: 6 }, ["a minLength: 9 → 6, looser"]],
  [{ ...STRING, minLength: 2 }, STRING, ["a minLength: 2 →, looser"]],
  [{ ...STRING, enum: ["x"] }, { ...STRING, enum: ["x", "y"] }, ['a enum: ["x"] → ["x","y"], looser']],
  [{ ...STRING, enum: ["x", "y"] }, { ...STRING, enum: ["y", "x"] }, []],
  [{ ...STRING, enum: ["x", "y"] }, { ...STRING, enum: ["y", "z"] }, ['a enum: ["x","y"] → ["y","z"], tighter']],
  [{ ...STRING, pattern: "a" }, { ...STRING, pattern: "b" }, ["a pattern: a → b, other"]],
  [{ ...STRING, nullable: true }, STRING, ["a nullable: true →, tighter"]],
  [{ ...STRING, default: "x" }, { ...STRING, default: "y" }, ["a default: x → y, other"]],
  [of(STRING), { ...of(STRING), required: ["a"] }, ["a.a required: false → true, tighter"]],
  [{ ...of(STRING), required: ["a"] }, of(STRING), ["a.a required: true → false, looser"]],
  [of(STRING), { type: "object" }, ["a.a property: string →, pruned"]],
  [{ type: "object" }, of(STRING), ["a.a property: → string, looser"]],
  [of(of(STRING)), { type: "object" }, ["a.a property: object →, pruned"]],
  [{ type: "array", items: STRING }, { type: "array", items: { ...STRING, maxLength: 1 } }, ["a[*] maxLength: → 1, tighter"]],
  [{ type: "object", additionalProperties: STRING }, { type: "object", additionalProperties: { ...STRING, format: "date" } }, ["a[*] format: → date, tighter"]],
  [{ type: "array", items: STRING }, { type: "array", items: STRING, "x-kubernetes-list-type": "set" }, ["a x-kubernetes-list-type: → set, other"]],
  [{ type: "object", "x-kubernetes-preserve-unknown-fields": true }, { type: "object" }, ["a x-kubernetes-preserve-unknown-fields: true →, tighter"]],
  [of({ ...STRING }), { type: "object", properties: { constructor: STRING } as unknown as Record<string, JsonSchema> }, ["a.a property: string →, pruned", "a.constructor property: → string, looser"]],
];

const shown = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

test.each(cases)("%j becomes %j", (was, now, want) => {
  const changes = compareSchemas(of(was), of(now));
  expect(
    changes.map(
      (change) =>
        `${change.field} ${change.keyword}: ${shown(change.was)} → ${shown(change.now)}`.replace(/ +/g, " ").trim() +
        `, ${change.effect}`,
    ),
  ).toEqual(want);
});

test("new rules say what ratchets them", () => {
  const rules = (...texts: string[]): JsonSchema => ({ "x-kubernetes-validations": texts.map((rule) => ({ rule })) });
  const list = (type: string): JsonSchema => ({
    type: "array",
    "x-kubernetes-list-type": type,
    ...(type === "map" && { "x-kubernetes-list-map-keys": ["a"] }),
    items: { ...of({ ...STRING, ...rules("self != ''") }), ...rules("self.a != 'x'") },
  });
  const was: JsonSchema = {
    type: "object",
    properties: { spec: { ...of(STRING), ...rules("self.a == 'gone'", "self.a == 'kept'") } },
  };
  const now: JsonSchema = {
    type: "object",
    ...rules("self.metadata.name != ''"),
    properties: {
      spec: {
        type: "object",
        properties: { a: STRING, keyed: list("map"), loose: list("atomic") },
        "x-kubernetes-validations": [{ rule: "self.a == 'kept'", message: "another" }, { rule: "self.a == oldSelf.a" }],
      },
    },
  };
  const text = compareRules(was, now).map(
    ({ field, change, now: rule, was: old, heldBy, usesOldSelf }) =>
      `${change} ${field || "root"}: ${(rule ?? old)!.rule}, ${heldBy ?? "never held"}${usesOldSelf ? ", oldSelf" : ""}`,
  );
  expect(text).toEqual([
    "added root: self.metadata.name != '', never held",
    "changed spec: self.a == 'kept', spec",
    "added spec: self.a == oldSelf.a, never held, oldSelf",
    "removed spec: self.a == 'gone', never held",
    "added spec.keyed[*]: self.a != 'x', spec.keyed[*]",
    "added spec.keyed[*].a: self != '', spec.keyed[*].a",
    "added spec.loose[*]: self.a != 'x', spec.loose",
    "added spec.loose[*].a: self != '', spec.loose",
  ]);
});

test("versions that come, go, and change their role", () => {
  const definition = (...versions: object[]): CustomResourceDefinition =>
    ({ spec: { versions, names: {} } }) as unknown as CustomResourceDefinition;
  const was = definition(
    { name: "v1alpha1", served: true },
    { name: "v1beta1", served: true },
    { name: "v1", served: true, storage: true },
  );
  const now = definition(
    { name: "v1beta1", served: false },
    { name: "v1", served: true, deprecated: true },
    { name: "v2", served: true, storage: true },
  );
  expect(compareVersions(was, now).map(({ name, change }) => `${name} ${change}`)).toEqual([
    "v1alpha1 removed",
    "v1beta1 unserved",
    "v1 deprecated",
    "v1 notStorage",
    "v2 added",
    "v2 storage",
  ]);
});

test("costs of rules that stay, come and go", () => {
  const schema = (maxItems: number, ...texts: string[]): JsonSchema => ({
    type: "object",
    properties: {
      spec: {
        type: "array",
        maxItems,
        items: { type: "string", maxLength: 10 },
        "x-kubernetes-validations": texts.map((rule) => ({ rule })),
      },
    },
  });
  const same = "self.size() > 0";
  const loop = "self.all(x, x.startsWith('a'))";
  const costs = compareCosts(schema(10, same, loop), schema(20, loop, same, "self.size() < 9"));
  expect(costs.expressions.map(({ path, was, now }) => [path.toString(), was, now])).toEqual([
    ["properties[spec].x-kubernetes-validations[0].rule", 52n, 102n],
    ["properties[spec].x-kubernetes-validations[2].rule", undefined, 3n],
  ]);
  expect(costs.total.now - costs.total.was).toBe(53n);
  expect(compareCosts(schema(10, same), undefined).expressions.map(({ was, now }) => [was, now])).toEqual([
    [3n, undefined],
  ]);
});

test("a version that is gone is compared with the one its objects are read in", () => {
  const version = (name: string, storage: boolean, schema: object): object => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: schema },
  });
  const old = withProperties({ a: { type: "string" } });
  const next = withProperties({ a: { type: "string", maxLength: 3 } });
  const was = accepted(
    widgetDefinition(undefined, { versions: [version("v1", false, old), version("v2", true, old)] as never }),
  );
  const now = accepted(widgetDefinition(undefined, { versions: [version("v2", true, next)] as never }));
  const { schemas } = compareDefinitions(was, now);
  expect(schemas.map(({ version: name, with: other, changes }) => [name, other, changes.length])).toEqual([
    ["v1", "v2", 1],
    ["v2", undefined, 1],
  ]);
});
