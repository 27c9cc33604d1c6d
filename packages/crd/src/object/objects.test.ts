// Pruning, nulls, defaults, unknown fields, embedded resources, list uniqueness and scale.

import type { JsonObject } from "@celadon/base";
import type { FieldPath } from "@celadon/kube/errors";
import { describe, expect, test } from "vitest";
import { admitCreate, admitUpdate } from "../admit.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { texts, widget, widgets, withProperties } from "../widgets.testing.ts";
import { decodeObject, decodeStored } from "./decode.ts";
import { dropNulls, fillDefaults, TooManyDefaults } from "./fill-defaults.ts";
import { uniquenessErrors } from "./list-uniqueness.ts";
import { prune } from "./prune.ts";
import { toScale, withReplicas } from "./scale.ts";

const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  ...more,
});
const integer: JsonSchema = { type: "integer" };

// biome-ignore format: one case per row
const PRUNING: readonly (readonly [string, JsonSchema, unknown, unknown, ...string[]])[] = [
  ["undeclared members", object({ a: integer }), { a: 1, b: 2 }, { a: 1 }, "b"],
  ["below a map", { type: "object", additionalProperties: object({ a: integer }) }, { k: { a: 1, b: 2 } }, { k: { a: 1 } }, "k.b"],
  ["below a map of anything", object({ m: { type: "object", additionalProperties: true } }), { m: { y: { z: 1 }, s: "x", l: [1] } }, { m: { y: {}, s: "x", l: [1] } }, "m.y.z"],
  ["an object without anything", object({ m: { type: "object" } }), { m: { a: 1 } }, { m: {} }, "m.a"],
  ["preserved members", object({ a: object({ x: integer }) }, { "x-kubernetes-preserve-unknown-fields": true }), { a: { x: 1, y: 2 }, b: { c: 1 } }, { a: { x: 1 }, b: { c: 1 } }, "a.y"],
  ["preserved items", { type: "array", "x-kubernetes-preserve-unknown-fields": true, items: object({ a: integer }) }, [{ a: 1, b: 2 }], [{ a: 1, b: 2 }]],
  ["items", { type: "array", items: object({ a: integer }) }, [{ a: 1, b: 2 }], [{ a: 1 }], "[0].b"],
  ["a scalar where an object is declared", object({ a: object({}) }), { a: 1 }, { a: 1 }],
  ["a key like a prototype's", object({ a: integer }), JSON.parse('{"a":1,"__proto__":{"b":1},"constructor":1}'), { a: 1 }, "__proto__", "constructor"],
];

test.each(PRUNING.map(([name, schema, value, want, ...unknown]) => ({ name, schema, value, want, unknown })))(
  "prunes $name",
  ({ schema, value, want, unknown }) => {
    const found: FieldPath[] = [];
    expect(prune(value, schema, false, found)).toEqual(want);
    expect(found.map(String)).toEqual(unknown);
  },
);

test("nothing is copied where nothing is pruned", () => {
  const value = { a: 1 };
  expect(prune(value, object({ a: integer }), false)).toBe(value);
});

const defaulted: JsonSchema = { type: "integer", default: 7 };

// biome-ignore format: one case per row
const DEFAULTING: readonly (readonly [string, JsonSchema, unknown, unknown])[] = [
  ["a missing member", object({ a: defaulted }), {}, { a: 7 }],
  ["a member that is there", object({ a: defaulted }), { a: 1 }, { a: 1 }],
  ["null", object({ a: defaulted }), { a: null }, { a: 7 }],
  ["a null that may be one", object({ a: { ...defaulted, nullable: true } }), { a: null }, { a: null }],
  ["nested, with a default above", object({ o: object({ a: defaulted }, { default: {} }) }), {}, { o: { a: 7 } }],
  ["nested, without", object({ o: object({ a: defaulted }) }), {}, {}],
  ["values of maps", { type: "object", additionalProperties: object({ a: defaulted }) }, { k: {} }, { k: { a: 7 } }],
  ["null items", { type: "array", items: defaulted }, [null, 1], [7, 1]],
];

test.each(DEFAULTING)("defaults %s", (_, schema, value, want) => expect(fillDefaults(value, schema)).toEqual(want));

test("defaults that are longer than allowed are refused, in nested lists too", () => {
  const item = object({ a: { type: "string", default: "x".repeat(100) } });
  const lists: JsonSchema = { type: "array", items: { type: "array", items: item } };
  const value = [Array(10).fill({}), Array(10).fill({})];
  expect(fillDefaults(value, lists, 20 * 103)).toHaveLength(2);
  expect(() => fillDefaults(value, lists, 20 * 103 - 1)).toThrow(TooManyDefaults);
});

test("an object with too many defaults is too large, and one in the store is read", () => {
  const items: JsonSchema = { type: "array", items: object({ a: { type: "string", default: "x".repeat(1_000) } }) };
  const context = { group: "example.com", version: "v1", kind: "Thing", schema: object({ list: items }) };
  const given = { apiVersion: "example.com/v1", kind: "Thing", list: Array(10_000).fill({}) };
  const refused = "the defaults of the schema are more than 8388608 characters";
  expect(decodeObject(given, context)).toMatchObject({ code: 413, message: `Request entity too large: ${refused}` });
  expect(decodeStored(given, context).list).toHaveLength(10_000);
});

test("nulls that may not be are dropped from members, not from lists", () => {
  const schema = object({
    a: integer,
    b: { ...integer, nullable: true },
    c: defaulted,
    l: { type: "array", items: integer },
  });
  expect(dropNulls({ a: null, b: null, c: null, l: [null], z: null }, schema)).toEqual({
    b: null,
    c: null,
    l: [null],
    z: null,
  });
});

describe("unknown fields", () => {
  const version = widgets(withProperties({ a: { type: "integer" } }));
  const given = { ...widget({ spec: { a: 1, zz: 2 }, top: 1 }), metadata: { name: "w", namespace: "default", foo: 1 } };
  test("are refused", () => {
    const answer = admitCreate(version, given, { fieldValidation: "Strict" });
    expect(answer.allowed ? "" : answer.status).toMatchObject({
      code: 400,
      message:
        'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "metadata.foo", unknown field "spec.zz", unknown field "top"',
    });
  });
  test("are reported", () => {
    const answer = admitCreate(version, given);
    expect(answer.warnings).toEqual(['unknown field "metadata.foo"', 'unknown field "spec.zz"', 'unknown field "top"']);
    expect(answer.allowed && answer.object.spec).toEqual({ a: 1 });
  });
  test("are dropped", () => expect(admitCreate(version, given, { fieldValidation: "Ignore" }).warnings).toEqual([]));
});

// biome-ignore format: one case per row
test.each([
  ["a set", { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } }, ["x", "y", "x", "x"], ['l[2]: Duplicate value: "x"']],
  ["a set of numbers", { type: "array", "x-kubernetes-list-type": "set", items: { type: "number" } }, [1, 1.5, 1.5], ["l[2]: Duplicate value: 1.5"]],
  ["one key", { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], items: { type: "object" } }, [{ k: "x" }, { k: "x", v: 1 }], ['l[1]: Duplicate value: {"k":"x"}']],
  ["two keys", { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k", "j"], items: { type: "object" } }, [{ k: "x", j: 1 }, { k: "x", j: 1 }, { k: "x", j: 2 }], ['l[1]: Duplicate value: {"j":1,"k":"x"}']],
  ["no key", { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], items: { type: "object" } }, [{}, {}], ["l[1]: Duplicate value: {}"]],
  ["no object", { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], items: { type: "object" } }, ["x"], ['l[0]: Invalid value: "x": must be an object for an array of list-type map']],
] as const)("duplicates: %s", (_, schema, list, want) => {
  expect(texts(uniquenessErrors({ l: list }, object({ l: schema as JsonSchema })))).toEqual(want);
});

describe("metadata", () => {
  const version = widgets(withProperties({}));
  const NO_TIME = 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"';
  const wrong = (what: string, field: string, type: string): string =>
    `json: cannot unmarshal ${what} into Go struct field ObjectMeta.${field} of type ${type}`;
  // biome-ignore format: one case per row
  test.each([
    [{ creationTimestamp: "" },                                    NO_TIME],
    [{ deletionTimestamp: "2024-01-01" },                          'parsing time "2024-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
    [{ managedFields: [{ time: "" }] },                            NO_TIME],
    [{ creationTimestamp: 5 },                                     wrong("number", "creationTimestamp", "string")],
    // A bad time is reported first, other values in the order of their keys.
    [{ name: 5, labels: { a: 5 }, creationTimestamp: "" },         NO_TIME],
    [{ labels: 5, annotations: 5 },                                wrong("number", "annotations", "map[string]string")],
    [{ ownerReferences: 5 },                                       wrong("number", "ownerReferences", "[]v1.OwnerReference")],
    [{ ownerReferences: [5] },                                     wrong("number", "ownerReferences", "v1.OwnerReference")],
  ])("of the wrong type: %j", (metadata, want) => {
    const answer = admitCreate(version, { ...widget({}), metadata: { name: "w", ...metadata } });
    expect(answer.allowed ? undefined : answer.status).toMatchObject({
      code: 400,
      message: `Widget in version "v1" cannot be handled as a Widget: ${want}`,
    });
  });
  // Every update checks metadata as such, and the schema's own checks do so again.
  test("wrong labels of an update are a cause three times, and one message", () => {
    const old = { ...widget({}), metadata: { name: "w", namespace: "default", resourceVersion: "1" } };
    const next = { ...old, metadata: { ...old.metadata, labels: { "a/b/c": "x" } } };
    const answer = admitUpdate(version, next, old);
    const { message = "", details } = answer.allowed ? {} : answer.status;
    expect(details?.causes?.map(({ field }) => field)).toEqual(Array(3).fill("metadata.labels"));
    expect(message.match(/metadata\.labels: Invalid value/g)).toHaveLength(1);
  });
  test("unknown fields are reported in order", () => {
    const { warnings } = admitCreate(version, { ...widget({}), metadata: { name: "w", zz: 1, aa: 1 } });
    expect(warnings).toEqual(['unknown field "metadata.aa"', 'unknown field "metadata.zz"']);
  });
});

describe("embedded resources", () => {
  const version = widgets(
    withProperties({
      e: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    }),
  );
  // biome-ignore format: one case per row
  test.each([
    [{}, ["spec.e.apiVersion: Required value", "spec.e.kind: Required value"]],
    [{ apiVersion: "", kind: "Pod" }, ['spec.e.apiVersion: Invalid value: "": must not be empty']],
    [{ apiVersion: "a/b/c", kind: "Pod" }, ['spec.e.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c']],
    [{ apiVersion: "v1", kind: "Pod", metadata: { name: "x", foo: 1 }, spec: { any: 1 } }, []],
    [{ apiVersion: "v1", kind: "Pod", metadata: { managedFields: [{ operation: "Update" }] } }, []],
    [{ apiVersion: "v1", kind: "Pod", metadata: { managedFields: [{ operation: "X" }] } }, ['spec.e.metadata.managedFields[0].operation: Invalid value: "X": must be `Apply` or `Update`']],
    [{ apiVersion: "v1", kind: "Pod", metadata: { managedFields: [{ operation: "Apply", fieldsType: "X", manager: "m".repeat(129), subresource: "s".repeat(257) }] } }, ['spec.e.metadata.managedFields[0].fieldsType: Invalid value: "X": must be `FieldsV1`', "spec.e.metadata.managedFields[0].manager: Too long: may not be more than 128 bytes", "spec.e.metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes"]],
  ])("%j", (e, want) => expect(texts(version.validateCreate(widget({ spec: { e } })).errors)).toEqual(want));
  test("times are kept as the server writes them", () => {
    const metadata = { creationTimestamp: "2024-01-01T00:00:00.5+02:00", deletionTimestamp: "0001-01-01T00:00:00Z" };
    const answer = admitCreate(version, widget({ spec: { e: { apiVersion: "v1", kind: "Pod", metadata } } }));
    expect(answer.allowed && (answer.object.spec as { e: JsonObject }).e.metadata).toEqual({
      creationTimestamp: "2023-12-31T22:00:00Z",
    });
  });
  test("unknown metadata is dropped", () => {
    const answer = admitCreate(
      version,
      widget({ spec: { e: { apiVersion: "v1", kind: "Pod", metadata: { name: "x", foo: 1 } } } }),
    );
    expect(answer.warnings).toEqual(['unknown field "spec.e.metadata.foo"']);
    expect(answer.allowed && (answer.object.spec as JsonObject).e).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "x" },
    });
  });
});

test("a null that a client sent is dropped, one that was merged from an applied configuration stays", () => {
  const version = widgets(withProperties({ a: integer }));
  const given = widget({ spec: { a: null } });
  const specOf = (origin: "client" | "merge"): unknown => {
    const decoded = version.decode(given, origin);
    return "object" in decoded && decoded.object.spec;
  };
  expect([specOf("client"), specOf("merge")]).toEqual([{}, { a: null }]);
});

describe("status and scale", () => {
  const scale = {
    specReplicasPath: ".spec.replicas",
    statusReplicasPath: ".status.replicas",
    labelSelectorPath: ".status.selector",
  };
  const schema = {
    type: "object",
    properties: {
      spec: object({ replicas: integer }),
      status: object({ replicas: integer, selector: { type: "string" } }),
    },
  };
  const version = widgets(schema, { subresources: { status: {}, scale } });
  test("a create cannot set status", () => {
    const answer = admitCreate(version, widget({ spec: { replicas: 1 }, status: { replicas: 5 } }));
    expect(answer.allowed && answer.object.status).toBeUndefined();
  });
  test("an update keeps status and counts generations", () => {
    const old = widget({ spec: { replicas: 1 }, status: { replicas: 5 } });
    const answer = admitUpdate(version, widget({ spec: { replicas: 2 }, status: { replicas: 9 } }), {
      ...old,
      metadata: { ...(old.metadata as object), generation: 4 },
    });
    expect(answer.allowed && answer.object).toMatchObject({ status: { replicas: 5 }, metadata: { generation: 5 } });
  });
  test("a Scale is seen and written", () => {
    const seen = toScale(widget({ spec: { replicas: 3 }, status: { replicas: 2, selector: "a=b" } }), scale);
    expect(seen).toMatchObject({ kind: "Scale", spec: { replicas: 3 }, status: { replicas: 2, selector: "a=b" } });
    expect(withReplicas(widget({}), scale, 4).spec).toEqual({ replicas: 4 });
  });
  test("replicas are counted", () => {
    expect(texts(version.validateCreate(widget({ spec: { replicas: -1 } })).errors)).toEqual([
      ".spec.replicas: Invalid value: -1: should be a non-negative integer",
    ]);
  });
  test("a path that ends in a scalar is named up to the field that was sought in it", () => {
    expect(texts(version.validateCreate(widget({ spec: "x" })).errors)).toContain(
      ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected map[string]interface{}",
    );
  });
});

describe("values that are no objects", () => {
  test.each([
    [null, "null"],
    [undefined, "null"],
    ["text", "string"],
    [5, "integer"],
    [[], "array"],
  ])("%j is refused", (given, kind) => {
    const version = widgets(withProperties({}));
    for (const answer of [admitCreate(version, given), admitUpdate(version, given, widget({}))])
      expect(answer.allowed || [answer.status.code, answer.status.message]).toEqual([
        400,
        `Widget in version "v1" cannot be handled as a Widget: an object is wanted, not ${kind}`,
      ]);
  });
});
