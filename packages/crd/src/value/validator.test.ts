// Value validation: a row per keyword with the reference's texts.

import { Double } from "@celadon/cel";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../schema/json-schema.ts";
import { texts } from "../widgets.testing.ts";
import { Correlation } from "./correlation.ts";
import { ValueValidator } from "./validator.ts";

const double = (n: number): Double => new Double(n);

/** Errors of `spec.a` with a schema. */
function problems(schema: JsonSchema, value: unknown): string[] {
  const root: JsonSchema = { type: "object", properties: { spec: { type: "object", properties: { a: schema } } } };
  return texts(new ValueValidator(root).validate({ spec: { a: value } }));
}

type Row = readonly [schema: JsonSchema, value: unknown, ...errors: string[]];
const general = (text: string): string => `<nil>: Invalid value: "": ${text}`;

// biome-ignore format: one case per row
const ROWS: readonly Row[] = [
  [{ type: "string" }, 1, 'spec.a: Invalid value: "integer": spec.a in body must be of type string: "integer"'],
  [{ type: "string" }, null, 'spec.a: Invalid value: "null": spec.a in body must be of type string: "null"'],
  [{ type: "string", nullable: true }, null],
  [{ type: "string", nullable: true, enum: ["x", null] }, null, 'spec.a: Unsupported value: null: supported values: "x", "null"'],
  [{ type: "object", required: ["b", "c"] }, {}, "spec.a.b: Required value", "spec.a.c: Required value"],
  [{ type: "string", enum: ["x", "y"] }, "z", 'spec.a: Unsupported value: "z": supported values: "x", "y"'],
  [{ type: "integer", enum: [1, 2] }, 3, 'spec.a: Unsupported value: 3: supported values: "1", "2"'],
  [{ type: "object", enum: [{ x: 1 }] }, { x: 2 }, 'spec.a: Unsupported value: {"x":2}: supported values: "{\\"x\\":1}"'],
  [{ type: "number", enum: [1, 2] }, 1.5],
  [{ type: "integer", enum: [1.5] }, 1, 'spec.a: Unsupported value: 1: supported values: "1.5"'],
  [{ "x-kubernetes-int-or-string": true, enum: ["A"] }, 65],
  [{ type: "string", maxLength: 3 }, "abcd", "spec.a: Too long: may not be more than 3 bytes"],
  [{ type: "string", maxLength: 1 }, "abcd", "spec.a: Too long: may not be more than 1 byte"],
  [{ type: "string", maxLength: 1 }, "😀"],
  [{ type: "string", minLength: 3 }, "ab", 'spec.a: Invalid value: "ab": spec.a in body should be at least 3 chars long'],
  [{ type: "string", pattern: "^[a-z]+$" }, "A", `spec.a: Invalid value: "A": spec.a in body should match '^[a-z]+$'`],
  [{ type: "array", items: { type: "string" }, maxItems: 1 }, ["a", "b"], "spec.a: Too many: 2: must have at most 1 item"],
  [{ type: "array", items: { type: "string" }, minItems: 1 }, [], "spec.a: Invalid value: 0: spec.a in body should have at least 1 items"],
  [{ type: "object", additionalProperties: { type: "string" }, maxProperties: 0 }, { x: "y" }, "spec.a: Too many: 1: must have at most 0 items"],
  [{ type: "object", additionalProperties: { type: "string" }, minProperties: 1 }, {}, "spec.a: Invalid value: 0: spec.a in body should have at least 1 properties"],
  [{ type: "object", additionalProperties: { type: "string" } }, { x: 1 }, 'spec.a.x: Invalid value: "integer": spec.a.x in body must be of type string: "integer"'],
  [{ type: "object", additionalProperties: false }, { x: 1 }, 'spec.a: Invalid value: "x": spec.a.x in body is a forbidden property'],
  [{ type: "array", items: { type: "string" }, uniqueItems: true }, ["a", "a"], `spec.a: Invalid value: "": spec.a in body shouldn't contain duplicates`],
  [{ type: "array", items: { type: "integer" } }, [1, "x"], 'spec.a[1]: Invalid value: "string": spec.a[1] in body must be of type integer: "string"'],

  [{ type: "integer", maximum: 10 }, 11, "spec.a: Invalid value: 11: spec.a in body should be less than or equal to 10"],
  [{ type: "integer", maximum: 10, exclusiveMaximum: true }, 10, "spec.a: Invalid value: 10: spec.a in body should be less than 10"],
  [{ type: "integer", minimum: 1 }, 0, "spec.a: Invalid value: 0: spec.a in body should be greater than or equal to 1"],
  [{ type: "number", minimum: 1.5, exclusiveMinimum: true }, 1.5, "spec.a: Invalid value: 1.5: spec.a in body should be greater than 1.5"],
  [{ type: "integer", multipleOf: 5 }, 7, "spec.a: Invalid value: 7: spec.a in body should be a multiple of 5"],
  [{ type: "number", multipleOf: 0.1 }, 0.3],
  [{ type: "integer", minimum: 1.5 }, 2, general("Minimum boundary value must be of type integer (default format) in spec.a")],
  [{ type: "integer", format: "int32" }, 2147483648, general("Checked value must be of type integer with format int32 in spec.a")],
  [{ type: "number", format: "float" }, 1e300, general("Checked value must be of type number with format float in spec.a")],
  [{ type: "integer" }, double(1)],
  [{ type: "integer" }, 1.5, 'spec.a: Invalid value: "number": spec.a in body must be of type integer: "number"', general("Checked value must be of type integer (default format) in spec.a")],
  [{ type: "integer", format: "int64" }, 1.5, 'spec.a: Invalid value: "float64": spec.a in body must be of type int64: "float64"', general("Checked value must be of type integer with format int64 in spec.a")],
  [{ type: "integer", minimum: 0 }, 9223372036854775807n],
  [{ type: "integer", maximum: 5 }, 9223372036854775807n, "spec.a: Invalid value: 9223372036854775807: spec.a in body should be less than or equal to 5"],
  [{ type: "number" }, 1],
  [{ type: "number", maximum: 1.5 }, 1],
  [{ type: "number", minimum: 1.5 }, 1],

  [{ "x-kubernetes-int-or-string": true }, 1],
  [{ "x-kubernetes-int-or-string": true }, "1"],
  [{ "x-kubernetes-int-or-string": true }, double(1)],
  [{ "x-kubernetes-int-or-string": true }, 1.5, 'spec.a: Invalid value: "number": spec.a in body must be of type integer,string: "number"'],
  [{ "x-kubernetes-int-or-string": true, pattern: "^x", maximum: 3 }, 5, "spec.a: Invalid value: 5: spec.a in body should be less than or equal to 3"],

  [{ type: "string", format: "date" }, "x", 'spec.a: Invalid value: "x": spec.a in body must be of type date: "x"'],
  [{ type: "string", format: "date" }, 1, 'spec.a: Invalid value: "int64": spec.a in body must be of type date: "int64"'],
  [{ type: "string", format: "date" }, true, 'spec.a: Invalid value: "": spec.a in body must be of type date: ""'],
  [{ type: "string", format: "date" }, ["x"]],
  [{ type: "string", format: "foo" }, "x"],

  [{ type: "integer", anyOf: [{ minimum: 5 }, { maximum: 1 }] }, 3, general('"spec.a" must validate at least one schema (anyOf)'), "spec.a: Invalid value: 3: spec.a in body should be greater than or equal to 5"],
  [{ type: "integer", oneOf: [{ minimum: 5 }, { maximum: 1 }] }, 3, general('"spec.a" must validate one and only one schema (oneOf). Found none valid'), "spec.a: Invalid value: 3: spec.a in body should be greater than or equal to 5"],
  [{ type: "integer", oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3, general('"spec.a" must validate one and only one schema (oneOf). Found 2 valid alternatives')],
  [{ type: "integer", allOf: [{ minimum: 5 }, { minimum: 2 }] }, 3, "spec.a: Invalid value: 3: spec.a in body should be greater than or equal to 5", general('"spec.a" must validate all the schemas (allOf)')],
  [{ type: "integer", allOf: [{ minimum: 5 }] }, 3, "spec.a: Invalid value: 3: spec.a in body should be greater than or equal to 5", general('"spec.a" must validate all the schemas (allOf). None validated')],
  [{ type: "integer", not: { minimum: 2 } }, 3, general('"spec.a" must not validate the schema (not)')],
];

test.each(
  ROWS.map(([schema, value, ...errors]) => ({
    schema,
    value,
    errors,
    name: `${JSON.stringify(schema)} ${String(value)}`,
  })),
)("$name", ({ schema, value, errors }) => expect(problems(schema, value)).toEqual(errors));

test("the branch that looks further in is shown", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { x: { type: "integer" }, y: { type: "integer" } },
    anyOf: [{ required: ["y"] }, { properties: { x: { minimum: 5 } } }],
  };
  expect(problems(schema, { x: 1 })).toEqual([
    general('"spec.a" must validate at least one schema (anyOf)'),
    "spec.a.x: Invalid value: 1: spec.a.x in body should be greater than or equal to 5",
  ]);
});

test("the same message is reported once", () => {
  const schema: JsonSchema = { type: "integer", maximum: 1, allOf: [{ maximum: 1 }, { maximum: 1 }] };
  expect(problems(schema, 3).filter((text) => text.includes("less than"))).toHaveLength(1);
});

describe("what did not change", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: {
      a: { type: "string", maxLength: 1 },
      b: { type: "string" },
      keyed: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: { type: "string" }, v: { type: "integer", maximum: 1 } } },
      },
      atomic: { type: "array", items: { type: "integer", maximum: 1 } },
    },
  };
  const validator = new ValueValidator(schema);
  const update = (old: unknown, value: unknown): string[] =>
    texts(validator.validate(value, { correlation: new Correlation(value, old, schema) }));

  // biome-ignore format: one case per row
  test.each([
    ["a value", { a: "long", b: "1" }, { a: "long", b: "2" }, 0],
    ["a changed value", { a: "long" }, { a: "longer" }, 1],
    ["a new value", {}, { a: "long" }, 1],
    ["an item by its key, elsewhere", { keyed: [{ k: "x", v: 5 }, { k: "y", v: 0 }] }, { keyed: [{ k: "y", v: 1 }, { k: "x", v: 5 }] }, 0],
    ["a new item", { keyed: [{ k: "x", v: 5 }] }, { keyed: [{ k: "x", v: 5 }, { k: "z", v: 5 }] }, 1],
    ["a list as a whole", { atomic: [5] }, { atomic: [5] }, 0],
    ["a longer list", { atomic: [5] }, { atomic: [5, 0] }, 1],
    ["an integer that became a double", { atomic: [5] }, { atomic: [double(5)] }, 1],
  ] as const)("%s", (_, old, value, count) => expect(update(old, value)).toHaveLength(count));
});

test("a format that the value has says nothing about its type", () => {
  const literal = new ValueValidator({ type: "object", format: "int64" }, { literal: true });
  expect(texts(literal.validate(1))).toEqual([
    '<nil>: Invalid value: "integer":  in body must be of type object: "integer"',
  ]);
});
