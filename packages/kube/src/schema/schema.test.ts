import { describe, expect, test } from "vitest";
import { Invalid } from "../invalid.ts";
import { readDocument } from "../read/read.ts";
import { readCustomResource } from "./custom-resource.ts";
import { readOpenApi } from "./openapi.ts";
import { readSchema } from "./read-schema.ts";

describe("schemas", () => {
  test("every keyword", () => {
    const json = {
      type: "object",
      format: "x",
      title: "t",
      description: "d",
      nullable: true,
      default: null,
      enum: ["a", null],
      required: ["a"],
      minProperties: 1,
      maxProperties: 9007199254740993n,
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      minLength: 1,
      maxLength: 2,
      pattern: "^a$",
      minimum: 0.5,
      maximum: 10,
      exclusiveMinimum: true,
      exclusiveMaximum: false,
      multipleOf: 2,
      properties: { a: { type: "string" }, __proto__x: { type: "integer" } },
      additionalProperties: { type: "boolean" },
      items: { type: "number" },
      not: { type: "null" },
      allOf: [{ minLength: 3 }],
      anyOf: [{ type: "integer" }, { type: "string" }],
      oneOf: [],
      "x-kubernetes-preserve-unknown-fields": true,
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-int-or-string": true,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      "x-kubernetes-map-type": "atomic",
      "x-kubernetes-validations": [
        { rule: "self.a", message: "m", reason: "FieldValueForbidden", fieldPath: ".a", optionalOldSelf: true },
        { rule: "true", messageExpression: "'x'" },
      ],
    };
    expect(readSchema(json)).toEqual({
      type: "object",
      format: "x",
      title: "t",
      description: "d",
      nullable: true,
      default: null,
      enum: ["a", null],
      required: ["a"],
      minProperties: 1,
      maxProperties: 9007199254740992,
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      minLength: 1,
      maxLength: 2,
      pattern: "^a$",
      minimum: 0.5,
      maximum: 10,
      exclusiveMinimum: true,
      multipleOf: 2,
      properties: new Map([
        ["a", { type: "string" }],
        ["__proto__x", { type: "integer" }],
      ]),
      additionalProperties: { type: "boolean" },
      items: { type: "number" },
      not: { type: "null" },
      allOf: [{ minLength: 3 }],
      anyOf: [{ type: "integer" }, { type: "string" }],
      oneOf: [],
      preserveUnknownFields: true,
      embeddedResource: true,
      intOrString: true,
      listType: "map",
      listMapKeys: ["name"],
      mapType: "atomic",
      validations: [
        { rule: "self.a", message: "m", reason: "FieldValueForbidden", fieldPath: ".a", optionalOldSelf: true },
        { rule: "true", messageExpression: "'x'" },
      ],
    });
  });

  test("keywords of a wrong type are left out", () => {
    const json = {
      type: ["string"],
      maxLength: "5",
      properties: [],
      items: [{}],
      required: "a",
      nullable: "yes",
      enum: {},
    };
    expect(readSchema(json)).toEqual({});
    expect(readSchema(null)).toEqual({});
    expect(readSchema({ additionalProperties: false })).toEqual({ additionalProperties: false });
  });

  test("a property may have any name", () => {
    const value = readDocument('{"properties": {"__proto__": {"type": "string"}, "constructor": {}}}');
    if (!("value" in value)) throw new Error("not read");
    expect([...readSchema(value.value).properties!.keys()]).toEqual(["__proto__", "constructor"]);
    expect(readSchema({}).properties).toBeUndefined();
  });
});

describe("OpenAPI documents", () => {
  const document = {
    openapi: "3.0.0",
    components: {
      schemas: {
        "example.v1.Widget": {
          type: "object",
          properties: {
            metadata: { allOf: [{ $ref: "#/components/schemas/meta" }], default: {}, description: "about it" },
            spec: { $ref: "#/components/schemas/example.v1.Spec" },
            other: { $ref: "#/components/schemas/missing", type: "string" },
          },
          "x-kubernetes-group-version-kind": [{ group: "example.com", version: "v1", kind: "Widget" }],
        },
        "example.v1.Spec": {
          type: "object",
          properties: {
            size: { type: "integer", format: "int64" },
            port: { type: "string", format: "int-or-string" },
            children: { type: "array", items: { $ref: "#/components/schemas/example.v1.Spec" } },
            first: { allOf: [{ $ref: "#/components/schemas/example.v1.Spec" }], nullable: true },
          },
        },
        meta: { type: "object", properties: { name: { type: "string" } } },
      },
    },
  };
  const schemas = readOpenApi(document);

  test("names and kinds", () => {
    expect(schemas.names).toEqual(["example.v1.Widget", "example.v1.Spec", "meta"]);
    expect(schemas.kinds).toEqual([{ group: "example.com", version: "v1", kind: "Widget" }]);
    expect(schemas.schemaFor({ group: "example.com", version: "v1", kind: "Other" })).toBeUndefined();
    expect(schemas.schema("constructor")).toBeUndefined();
  });

  test("references, also to itself", () => {
    const widget = schemas.schemaFor({ group: "example.com", version: "v1", kind: "Widget" })!;
    const spec = widget.properties!.get("spec")!;
    expect(spec).toBe(schemas.schema("example.v1.Spec"));
    expect(spec.properties!.get("children")!.items).toBe(spec);
    expect(spec.properties!.get("port")!.intOrString).toBe(true);
    const first = spec.properties!.get("first")!;
    expect(first.nullable).toBe(true);
    expect(first.properties).toBe(spec.properties);
    expect(widget.properties!.get("metadata")).toEqual({
      name: "meta",
      type: "object",
      description: "about it",
      default: {},
      properties: new Map([["name", { type: "string" }]]),
    });
    expect(widget.properties!.get("other")).toEqual({ type: "string" });
  });

  test("version 2 documents, and no document", () => {
    const old = readOpenApi({
      definitions: { a: { type: "object", properties: { b: { $ref: "#/definitions/b" } } }, b: { type: "string" } },
    });
    expect(old.schema("a")!.properties!.get("b")).toEqual({ name: "b", type: "string" });
    expect(readOpenApi(null).names).toEqual([]);
  });
});

describe("custom resources", () => {
  const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, shortNames: [wd]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, x-kubernetes-validations: [{rule: self.size > 0}]}
  - {name: v2, served: false, storage: false}
`;

  test("names, scope and versions", () => {
    const read = readDocument(definition);
    if (!("value" in read)) throw new Error("not read");
    expect(readCustomResource(read.value)).toMatchObject({
      group: "example.com",
      kind: "Widget",
      listKind: "WidgetList",
      resource: "widgets",
      singular: "widget",
      shortNames: ["wd"],
      categories: [],
      namespaced: true,
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          hasStatus: true,
          hasScale: false,
          schema: { properties: new Map([["spec", { type: "object", validations: [{ rule: "self.size > 0" }] }]]) },
        },
        { name: "v2", served: false, schema: undefined },
      ],
    });
  });

  test("something else", () => {
    expect(readCustomResource({ kind: "Pod" })).toEqual(
      new Invalid("not a CustomResourceDefinition: spec.names is missing"),
    );
    expect(readCustomResource(undefined)).toBeInstanceOf(Invalid);
  });
});
