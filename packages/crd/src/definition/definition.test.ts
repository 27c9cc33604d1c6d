// Errors of definitions, one by one, with their texts. `$` stands for the path of the schema.

import type { JsonObject } from "@celadon/base";
import { describe, expect, test } from "vitest";
import { accepted, definitionProblems, specSchema, widgetDefinition, withProperties } from "../widgets.testing.ts";

const OBJECT = { type: "object" };

type Row = readonly [name: string, schema: unknown, ...errors: string[]];

const SPINE: readonly Row[] = [
  ["root without type", { properties: {} }, "$.type: Required value: must not be empty at the root"],
  ["root of another type", { type: "string" }, '$.type: Invalid value: "string": must be object at the root'],
  [
    "property without type",
    withProperties({ a: {} }),
    "$.properties[spec].properties[a].type: Required value: must not be empty for specified object fields",
  ],
  [
    "items without type",
    withProperties({ a: { type: "array", items: {} } }),
    "$.properties[spec].properties[a].items.type: Required value: must not be empty for specified array items",
  ],
  [
    "list without items",
    withProperties({ a: { type: "array" } }),
    "$.properties[spec].properties[a].items: Required value: must be specified",
  ],
  [
    "map at the root",
    { type: "object", additionalProperties: { type: "string" } },
    "$.additionalProperties: Forbidden: must not be used at the root",
  ],
  [
    "embedded without type",
    withProperties({ a: { "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true } }),
    "$.properties[spec].properties[a].type: Required value: must be object if x-kubernetes-embedded-resource is true",
  ],
  [
    "embedded of another type",
    withProperties({
      a: { type: "string", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    }),
    '$.properties[spec].properties[a].type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true',
  ],
  [
    "embedded without properties",
    withProperties({ a: { type: "object", "x-kubernetes-embedded-resource": true } }),
    "$.properties[spec].properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
  ],
  [
    "embedded map",
    withProperties({
      a: {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
        additionalProperties: { type: "string" },
      },
    }),
    "$.properties[spec].properties[a].additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set",
  ],
  [
    "int-or-string that preserves",
    withProperties({ a: { "x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true } }),
    "$.properties[spec].properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true",
  ],
  [
    "kind that is no string",
    { type: "object", properties: { kind: { type: "integer" } } },
    '$.properties[kind].type: Invalid value: "integer": must be string',
  ],
  [
    "metadata with labels",
    { type: "object", properties: { metadata: { type: "object", properties: { labels: OBJECT } } } },
    "$.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
  ],
  [
    "metadata with names",
    {
      type: "object",
      properties: { metadata: { type: "object", properties: { name: { type: "string", maxLength: 5 } } } },
    },
  ],
  [
    "bad pattern",
    withProperties({ a: { type: "string", pattern: "[" } }),
    '$.properties[spec].properties[a].pattern: Invalid value: "[": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ]: `[`',
  ],
  ["untyped int-or-string", withProperties({ a: { "x-kubernetes-int-or-string": true } })],
  ["required that is not declared", withProperties({}, { required: ["zz"] })],
];

const JUNCTORS: readonly Row[] = [
  [
    "type inside",
    withProperties({ a: { type: "string" } }, { anyOf: [{ properties: { a: { type: "string" } } }] }),
    "$.properties[spec].anyOf[0].properties[a].type: Forbidden: must be empty to be structural",
  ],
  [
    "default inside",
    withProperties({ a: { type: "string" } }, { allOf: [{ properties: { a: { default: "x" } } }] }),
    "$.properties[spec].allOf[0].properties[a].default: Forbidden: must be undefined to be structural",
  ],
  [
    "nullable inside",
    withProperties({ a: { type: "string" } }, { not: { nullable: true } }),
    "$.properties[spec].not.nullable: Forbidden: must be false to be structural",
  ],
  [
    "rules inside",
    withProperties({}, { oneOf: [{ "x-kubernetes-validations": [{ rule: "true" }] }] }),
    "$.properties[spec].oneOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural",
  ],
  [
    "metadata inside",
    { type: "object", anyOf: [{ properties: { metadata: {} } }], properties: { metadata: OBJECT } },
    "$.anyOf[0].properties[metadata]: Forbidden: must not be specified in a nested context",
  ],
  [
    "undeclared at the root",
    { type: "object", anyOf: [{ required: ["a"], properties: { a: { minimum: 1 } } }] },
    "$.properties[a]: Required value: because it is defined in spec.validation.openAPIV3Schema.anyOf[0].properties[a]",
  ],
  ["undeclared below the root", withProperties({}, { anyOf: [{ properties: { zz: { minimum: 1 } } }] })],
  [
    "int-or-string spelled out",
    withProperties({ a: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] } }),
  ],
  [
    "int-or-string spelled out twice",
    withProperties({
      a: {
        "x-kubernetes-int-or-string": true,
        anyOf: [{ type: "integer" }, { type: "string" }],
        allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { pattern: "^a" }],
      },
    }),
  ],
  [
    "additionalItems hide what else keeps a schema from being structural",
    withProperties({ a: { additionalItems: {} } }),
    "$.properties[spec].properties[a].additionalItems: Forbidden: additionalItems is not supported",
  ],
  [
    "int-or-string the other way round",
    withProperties({ a: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "string" }, { type: "integer" }] } }),
    "$.properties[spec].properties[a].anyOf[0].type: Forbidden: must be empty to be structural",
    "$.properties[spec].properties[a].anyOf[1].type: Forbidden: must be empty to be structural",
  ],
];

const KEYWORDS: readonly Row[] = [
  [
    "$ref",
    withProperties({ a: { type: "string", $ref: "#/x" } }),
    "$.properties[spec].properties[a].$ref: Forbidden: $ref is not supported",
  ],
  [
    "definitions",
    withProperties({ a: { type: "string", definitions: { x: OBJECT } } }),
    "$.properties[spec].properties[a].definitions: Forbidden: definitions is not supported",
  ],
  [
    "unknown type",
    withProperties({ a: { type: "foo" } }),
    '$.properties[spec].properties[a].type: Unsupported value: "foo": supported values: "array", "boolean", "integer", "number", "object", "string"',
  ],
  [
    "type null",
    withProperties({ a: { type: "null" } }),
    '$.properties[spec].properties[a].type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"',
    "$.properties[spec].properties[a].type: Forbidden: type cannot be set to null, use nullable as an alternative",
  ],
  [
    "uniqueItems",
    withProperties({ a: { type: "array", items: { type: "string" }, uniqueItems: true } }),
    "$.properties[spec].properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
  ],
  [
    "properties and additionalProperties",
    withProperties({}, { properties: { a: { type: "string" } }, additionalProperties: { type: "string" } }),
    "$.properties[spec].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
  ],
  [
    "properties and additionalProperties true",
    withProperties({ a: { type: "string" } }, { additionalProperties: true }),
  ],
  [
    "preserve false",
    withProperties({ a: { type: "object", "x-kubernetes-preserve-unknown-fields": false } }),
    "$.properties[spec].properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined",
  ],
  ["nullable root", { type: "object", nullable: true }, "$.nullable: Forbidden: nullable cannot be true at the root"],
  [
    "items as a list",
    withProperties({ a: { type: "array", items: [{ type: "string" }] } }),
    "$.properties[spec].properties[a].items: Forbidden: items must be a schema object and not an array",
  ],
];

const set = (items: JsonObject, more: JsonObject = {}): JsonObject =>
  withProperties({ l: { type: "array", "x-kubernetes-list-type": "set", items, ...more } });
const keyed = (items: JsonObject, keys: readonly string[], more: JsonObject = {}): JsonObject =>
  withProperties({
    l: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys, items, ...more },
  });
const entry = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  required: ["k"],
  ...more,
});
const L = "$.properties[spec].properties[l]";

const LIST_TYPES: readonly Row[] = [
  [
    "map type of a string",
    withProperties({ l: { type: "string", "x-kubernetes-map-type": "atomic" } }),
    `${L}.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified`,
  ],
  [
    "unknown map type",
    withProperties({ l: { type: "object", "x-kubernetes-map-type": "foo" } }),
    `${L}.x-kubernetes-map-type: Unsupported value: "foo": supported values: "atomic", "granular"`,
  ],
  [
    "list type of an object",
    withProperties({ l: { type: "object", "x-kubernetes-list-type": "set" } }),
    `${L}.type: Invalid value: "object": must be array if x-kubernetes-list-type is specified`,
  ],
  [
    "unknown list type",
    withProperties({ l: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "foo" } }),
    `${L}.x-kubernetes-list-type: Unsupported value: "foo": supported values: "atomic", "set", "map"`,
  ],
  [
    "keys without list type",
    withProperties({
      l: { type: "array", items: entry({ k: { type: "string" } }), "x-kubernetes-list-map-keys": ["k"] },
    }),
    `${L}.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty`,
  ],
  [
    "keyed without keys",
    keyed(entry({ k: { type: "string" } }), []),
    `${L}.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`,
  ],
  [
    "keyed strings",
    keyed({ type: "string" }, ["k"]),
    `${L}.items.type: Invalid value: "string": must be object if parent array's x-kubernetes-list-type is map`,
  ],
  [
    "unknown key",
    keyed(entry({ k: { type: "string" } }), ["k", "zz"]),
    `${L}.x-kubernetes-list-map-keys: Invalid value: ["k","zz"]: entries must all be names of item properties`,
  ],
  [
    "key twice",
    keyed(entry({ k: { type: "string" } }), ["k", "k"]),
    `${L}.x-kubernetes-list-map-keys: Invalid value: ["k","k"]: must not contain duplicate entries`,
  ],
  [
    "key that is an object",
    keyed(entry({ k: OBJECT }), ["k"]),
    `${L}.items.properties[k].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map`,
  ],
  [
    "key that may be missing",
    keyed({ type: "object", properties: { k: { type: "string" } } }, ["k"]),
    `${L}.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
  ],
  [
    "nullable key",
    keyed(entry({ k: { type: "string", nullable: true } }), ["k"]),
    `${L}.items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable`,
  ],
  [
    "nullable items",
    set({ type: "string", nullable: true }),
    `${L}.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set`,
  ],
  [
    "set of objects",
    set({ type: "object" }),
    `${L}.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set`,
  ],
  [
    "set of sets",
    set({ type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" }),
    `${L}.items.x-kubernetes-list-type: Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set`,
  ],
  ["set of lists", set({ type: "array", items: { type: "string" } })],
];

const A = "$.properties[spec].properties[a]";

const DEFAULTS: readonly Row[] = [
  [
    "wrong type",
    withProperties({ a: { type: "integer", default: "x" } }),
    `${A}.default: Invalid value: "string":  in body must be of type integer: "string"`,
  ],
  [
    "not in the enum",
    withProperties({ a: { type: "string", enum: ["x"], default: "y" } }),
    `${A}.default: Unsupported value: "y": supported values: "x"`,
  ],
  [
    "unknown fields",
    withProperties({ a: { type: "object", properties: { x: { type: "integer" } }, default: { x: 1, y: 2 } } }),
    `${A}.default: Invalid value: {"x":1,"y":2}: must not have unknown fields`,
  ],
  [
    "against its rule",
    withProperties({ a: { type: "integer", default: 0, "x-kubernetes-validations": [{ rule: "self > 0" }] } }),
    `${A}.default: Invalid value: 0: failed rule: self > 0`,
  ],
  [
    "against its transition rule",
    withProperties({ a: { type: "integer", default: 0, "x-kubernetes-validations": [{ rule: "self > oldSelf" }] } }),
    `${A}.default: Invalid value: 0: failed rule: self > oldSelf`,
  ],
  [
    "in top-level metadata",
    {
      type: "object",
      properties: { metadata: { type: "object", properties: { name: { type: "string", default: "x" } } } },
    },
    "$.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata",
  ],
  ["null is none", withProperties({ a: { type: "integer", default: null } })],
  ["below a map", withProperties({ a: { type: "object", additionalProperties: { type: "integer", default: "x" } } })],
];

const rule = (...rules: JsonObject[]): JsonObject =>
  withProperties(
    { a: { type: "integer" }, m: { type: "object", additionalProperties: { type: "string" } } },
    { "x-kubernetes-validations": rules },
  );
const R = "$.properties[spec].x-kubernetes-validations[0]";
const go = (text: string): string =>
  `{"Rule":"${text}","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}`;

const RULES: readonly Row[] = [
  ["blank rule", rule({ rule: " " }), `${R}.rule: Required value: rule is not specified`],
  [
    "blank message",
    rule({ rule: "true", message: " " }),
    `${R}.message: Invalid value: " ": must be non-empty if specified`,
  ],
  ["message that is a mark, not blank", rule({ rule: "true", message: "\ufeff" })],
  [
    "message of two lines",
    rule({ rule: "true", message: "a\nb" }),
    `${R}.message: Invalid value: "a\\nb": must not contain line breaks`,
  ],
  [
    "rule of two lines",
    rule({ rule: "true\n&& true" }),
    `${R}.message: Required value: message must be specified if rule contains line breaks`,
  ],
  [
    "blank messageExpression",
    rule({ rule: "true", messageExpression: " " }),
    `${R}.messageExpression: Required value: messageExpression must be non-empty if specified`,
  ],
  [
    "unknown reason",
    rule({ rule: "true", reason: "X" }),
    `${R}.reason: Unsupported value: "X": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
  ],
  [
    "path that leads nowhere",
    rule({ rule: "true", fieldPath: ".zz" }),
    `${R}.fieldPath: Invalid value: ".zz": must be a valid path`,
  ],
  [
    "path without a dot",
    rule({ rule: "true", fieldPath: "a" }),
    `${R}.fieldPath: Invalid value: "a": must be a valid path`,
  ],
  ["path into a map", rule({ rule: "true", fieldPath: ".m['k.l']" })],
  [
    "syntax error",
    rule({ rule: "self.a >" }),
    `${R}.rule: Invalid value: ${go("self.a \\u003e")}: compilation failed: ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.a >\n | ........^`,
  ],
  [
    "not a bool",
    rule({ rule: "self.a" }),
    `${R}.rule: Invalid value: ${go("self.a")}: cel expression must evaluate to a bool`,
  ],
  [
    "a constant that cannot be",
    rule({ rule: "self.a == int('x')" }),
    `${R}.rule: Invalid value: ${go("self.a == int('x')")}: program instantiation failed: type conversion error from 'string' to 'int'`,
  ],
  [
    "optionalOldSelf without oldSelf",
    rule({ rule: "true", optionalOldSelf: false }),
    `${R}.optionalOldSelf: Invalid value: false: may not be set if oldSelf is not used in rule`,
  ],
  [
    "message that is no string",
    rule({ rule: "true", messageExpression: "self.a" }),
    `${R}.messageExpression: Invalid value: {"Rule":"true","Message":"","MessageExpression":"self.a","Reason":null,"FieldPath":"","OptionalOldSelf":null}: messageExpression must evaluate to a string`,
  ],
  [
    "oldSelf in an atomic list",
    withProperties({
      a: {
        type: "array",
        maxItems: 5,
        items: { type: "integer", "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
      },
    }),
    `${A}.items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within spec.validation.openAPIV3Schema.properties[spec].properties[a]`,
  ],
  [
    "a node without a type",
    withProperties({
      a: { "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-validations": [{ rule: "true" }] },
    }),
    `${A}.x-kubernetes-validations: Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations`,
  ],
];

describe.each([
  ["spine", SPINE],
  ["junctors", JUNCTORS],
  ["keywords", KEYWORDS],
  ["list types", LIST_TYPES],
  ["defaults", DEFAULTS],
  ["rules", RULES],
] as const)("%s", (_, rows) => {
  test.each(rows.map(([name, schema, ...errors]) => ({ name, schema, errors })))("$name", ({ schema, errors }) => {
    expect(definitionProblems(widgetDefinition(schema))).toEqual(errors);
  });
});

describe("status at the root", () => {
  const subresources = { status: {} };
  test("only some keywords are allowed beside it", () => {
    const [problem] = definitionProblems(widgetDefinition({ type: "object", minProperties: 1 }, { subresources }));
    expect(problem).toContain('$: Invalid value: {"ID":"","Schema":"","Ref":null,"Description":"","Type":"object"');
    expect(problem).toMatch(
      /only \[Description Type .* XValidations\] fields are allowed at the root of the schema if the status subresource is enabled$/,
    );
  });
  test("rules may", () => {
    const schema = { type: "object", "x-kubernetes-validations": [{ rule: "self.metadata.name != ''" }] };
    expect(definitionProblems(widgetDefinition(schema, { subresources }))).toEqual([]);
  });
});

const SPEC: readonly (readonly [string, JsonObject, ...string[]])[] = [
  ["unknown scope", { scope: "X" }, 'spec.scope: Unsupported value: "X": supported values: "Cluster", "Namespaced"'],
  [
    "group without a dot",
    { group: "example" },
    'metadata.name: Invalid value: "widgets.example.com": must be spec.names.plural+"."+spec.group',
    'spec.group: Invalid value: "example": should be a domain with at least one dot',
  ],
  [
    "preserveUnknownFields",
    { preserveUnknownFields: true },
    "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
  ],
  [
    "webhook without configuration",
    { conversion: { strategy: "Webhook" } },
    "spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
    "spec.conversion.conversionReviewVersions: Required value",
  ],
  [
    "configuration without webhook",
    { conversion: { strategy: "None", webhook: { conversionReviewVersions: ["v1"] } } },
    "spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook",
  ],
  [
    "http webhook",
    {
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: ["v2"], clientConfig: { url: "http://x/y?z#f" } },
      },
    },
    `spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
    'spec.conversion.webhookClientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
    'spec.conversion.webhookClientConfig.url: Invalid value: "z": query parameters are not permitted in the URL',
    'spec.conversion.conversionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
  ],
];

test.each(SPEC.map(([name, spec, ...errors]) => ({ name, spec, errors })))("spec: $name", ({ spec, errors }) => {
  expect(definitionProblems(widgetDefinition(specSchema(OBJECT), { spec }))).toEqual(errors);
});

const version = (more: JsonObject): JsonObject => ({
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: withProperties({ a: { type: "string" }, n: { type: "number" } }) },
  ...more,
});

const VERSIONS: readonly (readonly [string, readonly JsonObject[], ...string[]])[] = [
  [
    "no columns",
    [version({ additionalPrinterColumns: [{ name: "", type: "x", jsonPath: "a" }] })],
    "spec.additionalPrinterColumns[0].name: Required value",
    'spec.additionalPrinterColumns[0].type: Invalid value: "x": must be one of boolean,date,integer,number,string',
    'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "a": must be a simple json path starting with .',
  ],
  [
    "scale without paths",
    [version({ subresources: { scale: { specReplicasPath: ".a.b" } } })],
    'spec.subresources.scale.specReplicasPath: Invalid value: ".a.b": should be a json path under .spec',
    "spec.subresources.scale.statusReplicasPath: Required value",
  ],
  [
    "selectable fields",
    [
      version({
        selectableFields: [
          { jsonPath: ".spec.a" },
          { jsonPath: ".spec.a" },
          { jsonPath: ".spec.n" },
          { jsonPath: ".spec.zz" },
          { jsonPath: "" },
        ],
      }),
    ],
    'spec.selectableFields[1].jsonPath: Duplicate value: ".spec.a"',
    'spec.selectableFields[2].jsonPath: Invalid value: ".spec.n": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
    'spec.selectableFields[3].jsonPath: Invalid value: ".spec.zz": is an invalid path: does not refer to a valid field',
    "spec.selectableFields[4].jsonPath: Required value",
  ],
  [
    "deprecation of what is not",
    [version({ deprecationWarning: "x" })],
    'spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions',
  ],
];

// biome-ignore format: one case per line
test.each([[null, "null"], [[], "[]"]])("versions that are %j are shown so", (versions, shown) => {
  const problems = definitionProblems(widgetDefinition(undefined, { spec: { versions } }));
  expect(problems).toContain(`spec.versions: Invalid value: ${shown}: must have exactly one version marked as storage version`);
});

test.each(VERSIONS.map(([name, versions, ...errors]) => ({ name, versions, errors })))(
  "versions: $name",
  ({ versions, errors }) => {
    expect(definitionProblems(widgetDefinition(undefined, { versions }))).toEqual(errors);
  },
);

describe("updates", () => {
  const expensive = withProperties({
    a: { type: "array", items: { type: "string", "x-kubernetes-validations": [{ rule: "self.contains('x')" }] } },
  });
  test("unchanged rules have no limit of their own, their sum has", () => {
    const problems = definitionProblems(widgetDefinition(expensive));
    expect(problems[0]).toMatch(
      /^\$\.properties\[spec\]\.properties\[a\]\.items\.x-kubernetes-validations\[0\]\.rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x/,
    );
    const read = widgetDefinition(expensive) as never;
    expect(definitionProblems(widgetDefinition(expensive), read).map((text) => text.replace(/ \(.*/, ""))).toEqual([
      "$.properties[spec].properties[a].items.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
      "$: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x",
    ]);
  });
  test("a new version with the schema that all versions had changes nothing", () => {
    const [version] = (widgetDefinition(expensive).spec as { versions: JsonObject[] }).versions;
    const versions = [{ ...version, name: "v2", storage: false }, version!];
    const problems = definitionProblems(
      widgetDefinition(undefined, { versions }),
      widgetDefinition(expensive) as never,
    );
    expect(problems.join()).not.toContain("estimated rule cost exceeds budget");
  });
  test("group and plural never change, scope and kind not once established", () => {
    const old = {
      ...accepted(widgetDefinition(specSchema(OBJECT))),
      status: { storedVersions: ["v1"], conditions: [{ type: "Established", status: "True" }] },
    };
    const next = widgetDefinition(specSchema(OBJECT), { spec: { scope: "Cluster" } });
    expect(definitionProblems(next, old)).toEqual(['spec.scope: Invalid value: "Cluster": field is immutable']);
  });
});

test("unknown formats are warned about, with their place", async () => {
  const { acceptDefinition, admitDefinition } = await import("../admit.ts");
  const definition = widgetDefinition(withProperties({ a: { type: "string", format: "foo" } }));
  expect(admitDefinition(definition, undefined).warnings).toEqual(['unrecognized format "foo"']);
  const [warning] = acceptDefinition(definition, undefined).warnings;
  expect(warning?.path?.steps.slice(0, 5)).toEqual(["spec", "versions", 0, "schema", "openAPIV3Schema"]);
  expect(warning?.path?.steps.slice(-3)).toEqual(["properties", "a", "format"]);
});
