// Declared types as upstream makes them of the same schemas: CEL type, largest size, smallest JSON, for every node.

import { readFileSync } from "node:fs";
import { formatType } from "@celadon/cel";
import { expect, test } from "vitest";
import { type DeclType, declareType } from "./decl-type.ts";
import { createSchemaProvider } from "./provider.ts";
import type { Schema } from "./schema.ts";

interface Declared {
  readonly type: string;
  readonly max: number;
  readonly min: number;
  readonly elem?: Declared;
  readonly fields?: Readonly<Record<string, Declared>>;
}

interface Recorded {
  readonly name: string;
  readonly schema: Schema;
  readonly resource: boolean;
  readonly declared: Declared | null;
}

const recorded = JSON.parse(
  readFileSync(new URL("./testdata/declared-types.json", import.meta.url), "utf8"),
) as readonly Recorded[];

test.each(recorded.map((item) => [item.name, item] as const))("%s", (_, { schema, resource, declared }) => {
  const type = declareType(schema, "selfType", { resource });
  expect(type ? shown(type) : null).toEqual(declared);
});

function shown(decl: DeclType): Declared {
  const { elem, fields } = decl;
  return {
    type: String(decl.type),
    max: decl.maxElements,
    min: decl.minSerializedSize,
    ...(elem && { elem: shown(elem) }),
    ...(fields && {
      fields: Object.fromEntries(fields.names().map((name) => [name, shown(fields.get(name)?.type as DeclType)])),
    }),
  };
}

// biome-ignore format: one schema per line
const sizes: readonly (readonly [what: string, schema: Schema, maxElements: number])[] = [
  ["ints",                       { type: "array", items: { type: "integer" } },                            1_572_863],
  ["strings",                    { type: "array", items: { type: "string" } },                             1_048_575],
  ["bools",                      { type: "array", items: { type: "boolean" } },                              629_145],
  ["objects, nothing required",  { type: "array", items: { type: "object" } },                             1_048_575],
  ["a map of strings",           { type: "object", additionalProperties: { type: "string" } },               393_215],
  ["a map of ints",              { type: "object", additionalProperties: { type: "integer" } },              449_389],
  ["date-times",                 { type: "array", items: { type: "string", format: "date-time" } },          142_987],
  ["a string",                   { type: "string" },                                                       3_145_726],
  ["a short string",             { type: "string", maxLength: 10 },                                               40],
  ["a choice of strings",        { type: "string", enum: ["aa", "bbbb", "é€"] },                                   5],
  ["bytes",                      { type: "string", format: "byte", maxLength: 10 },                               10],
];

test.each(sizes)("the largest number of %s", (_, schema, maxElements) => {
  expect(declareType(schema, "selfType")?.maxElements).toBe(maxElements);
});

test("a schema that contains itself is declared only as deep as it is used", () => {
  const tree: { -readonly [K in keyof Schema]: Schema[K] } = { type: "object" };
  tree.properties = { name: { type: "string" }, children: { type: "array", items: tree }, parent: tree };
  const decl = declareType(tree, "tree");
  expect(decl?.fields?.get("parent")?.type.fields?.get("parent")?.type.type.name).toBe("tree.parent.parent");
  expect(decl?.fields?.get("children")?.type.elem?.fields?.names()).toEqual(["name", "children", "parent"]);
});

test("types are found by the name of their place", () => {
  const item: Schema = { type: "object", properties: { "a-b": { type: "object" }, namespace: { type: "string" } } };
  const schema: Schema = {
    type: "object",
    properties: { list: { type: "array", items: item }, map: { type: "object", additionalProperties: item } },
  };
  const root = declareType(schema, "selfType") as DeclType;
  const provider = createSchemaProvider({ selfType: root });
  const names = [
    "selfType",
    "selfType.list",
    "selfType.list.@idx",
    "selfType.map.@elem.a__dash__b",
    "selfType.map.@idx",
    "selfType.x",
    "other",
  ];
  expect(names.map((name) => provider.findStruct(name)?.type).map((type) => type && formatType(type))).toEqual([
    "selfType",
    "list(selfType.list.@idx)",
    "selfType.list.@idx",
    "selfType.map.@elem.a__dash__b",
    undefined,
    undefined,
    undefined,
  ]);
  const element = provider.findStruct("selfType.list.@idx");
  expect(element?.fieldNames()).toEqual(["a__dash__b", "__namespace__"]);
  expect(element?.field("a__dash__b")).toMatchObject({ name: "a__dash__b", key: "a-b" });
  expect(element?.field("namespace")).toMatchObject({ name: "namespace", key: "namespace" });
  expect(
    createSchemaProvider({ selfType: root }, { keywordFields: false })
      .findStruct("selfType.list.@idx")
      ?.field("namespace"),
  ).toBeUndefined();
});
