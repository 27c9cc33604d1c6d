// The rules that are evaluated, and their types, where part of a schema is hidden from expressions.

import type { JsonObject } from "@celadon/base";
import { describe, expect, test } from "vitest";
import { definitionProblems, specSchema, texts, widget, widgetDefinition, widgets } from "../widgets.testing.ts";

const POSITIVE = { type: "integer", "x-kubernetes-validations": [{ rule: "self > 0" }] };
/** Without a type, expressions cannot see it. */
const HIDDEN = { "x-kubernetes-preserve-unknown-fields": true };

/** The schema with a rule at its root, inside which every node gets its type from the outer one. */
const ruled = (schema: JsonObject): JsonObject => ({
  ...schema,
  "x-kubernetes-validations": [{ rule: "self == self" }],
});

const create = (spec: JsonObject, value: unknown): string[] =>
  texts(widgets(specSchema(spec)).validateCreate(widget({ spec: value })).errors);

describe("rules inside hidden data are accepted, and never evaluated", () => {
  // biome-ignore format: one case per row
  test.each([
    ["a property",                 { ...HIDDEN, properties: { a: POSITIVE } }, { a: 0 }],
    ["under a name without escape", { type: "object", properties: { "a b": { ...HIDDEN, properties: { a: POSITIVE } } } }, { "a b": { a: 0 } }],
    ["elements of a hidden list",  { type: "array", items: { ...HIDDEN, properties: { a: POSITIVE } } }, [{ a: 0 }]],
    ["values of a hidden map",     { type: "object", additionalProperties: { ...HIDDEN, properties: { a: POSITIVE } } }, { k: { a: 0 } }],
  ])("%s", (_, spec, value) => expect(create(spec, value)).toEqual([]));

  test("a name without escape hides nothing", () => {
    const spec = { type: "object", properties: { "a b": POSITIVE } };
    expect(create(spec, { "a b": 0 })).toEqual(["spec.a b: Invalid value: 0: failed rule: self > 0"]);
  });
});

describe("inside a schema with rules", () => {
  const problems = (spec: JsonObject): string[] => definitionProblems(widgetDefinition(ruled(specSchema(spec))));

  test("rules in hidden data are rejected", () => {
    expect(problems({ ...HIDDEN, properties: { a: POSITIVE } })).toEqual([
      "$.properties[spec].properties[a].x-kubernetes-validations: Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations",
    ]);
  });

  test("items of a value that is no list have no type", () => {
    expect(problems({ type: "object", items: POSITIVE })).toEqual([
      "$.properties[spec].items.x-kubernetes-validations: Internal error: failed to convert to declType for CEL validation rules",
    ]);
  });

  test("the metadata of an embedded resource has a name", () => {
    const metadata = { type: "object", "x-kubernetes-validations": [{ rule: "self.name != ''" }] };
    const spec = { type: "object", "x-kubernetes-embedded-resource": true, ...HIDDEN, properties: { metadata } };
    expect(problems(spec)).toEqual([]);
    expect(definitionProblems(widgetDefinition(specSchema(spec)))).toHaveLength(1);
  });
});
