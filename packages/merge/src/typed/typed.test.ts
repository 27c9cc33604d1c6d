import { readSchema } from "@celadon/kube/schemas";
import { describe, expect, test } from "vitest";
import { type Path, pathText } from "../fieldpath/path-element.ts";
import { builtinMergeType } from "../schema/builtin-types.ts";
import { customMergeType } from "../schema/from-schema.ts";
import type { MergeType } from "../schema/merge-type.ts";
import { compareTyped } from "./compare.ts";
import { fieldSetOf } from "./field-set-of.ts";
import { mergeValues } from "./merge.ts";
import { typeProblemsText } from "./problem.ts";
import { reconcileFields } from "./reconcile.ts";
import { removeFields } from "./remove.ts";
import { validateValue } from "./validate.ts";

const item = (more: object = {}): object => ({
  type: "object",
  properties: { k: { type: "string" }, l: { type: "integer", default: 7 }, v: { type: "integer" } },
  ...more,
});
const keyed = (...keys: string[]): object => ({
  type: "array",
  items: item(),
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": keys,
});
const thing = customMergeType(
  readSchema({
    type: "object",
    properties: {
      text: { type: "string" },
      number: { type: "integer" },
      flag: { type: "boolean" },
      either: { "x-kubernetes-int-or-string": true },
      list: { type: "array", items: { type: "string" } },
      set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
      keyed: keyed("k"),
      keyed2: keyed("k", "l"),
      map: { type: "object", additionalProperties: { type: "string" } },
      whole: { type: "object", additionalProperties: { type: "string" }, "x-kubernetes-map-type": "atomic" },
      struct: item(),
      atom: item({ "x-kubernetes-map-type": "atomic" }),
      free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      any: { "x-kubernetes-preserve-unknown-fields": true },
    },
  }),
);

// biome-ignore format: one rule per line
const merges: [string, object, object, object][] = [
  ["a scalar is replaced",                   { text: "a" },                { text: "b" },                { text: "b" }],
  ["null is a value",                        { text: "a" },                { text: null },               { text: null }],
  ["members are kept and added",             { map: { a: "1" } },          { map: { b: "2" } },          { map: { a: "1", b: "2" } }],
  ["an atomic list is replaced",             { list: ["a", "b"] },         { list: ["c"] },              { list: ["c"] }],
  ["an atomic map is replaced",              { whole: { a: "1" } },        { whole: { b: "2" } },        { whole: { b: "2" } }],
  ["an atomic struct is replaced",           { atom: { k: "a", v: 1 } },   { atom: { v: 2 } },           { atom: { v: 2 } }],
  ["sets are united",                        { set: ["a", "b"] },          { set: ["c", "a"] },          { set: ["c", "a", "b"] }],
  ["a set keeps its order",                  { set: ["a", "b"] },          { set: ["a", "b", "c"] },     { set: ["a", "b", "c"] }],
  ["items are merged by their key",          { keyed: [{ k: "a", v: 1 }, { k: "b" }] }, { keyed: [{ k: "a", l: 2 }] }, { keyed: [{ k: "a", v: 1, l: 2 }, { k: "b" }] }],
  ["new items follow",                       { keyed: [{ k: "x" }] },      { keyed: [{ k: "y" }] },      { keyed: [{ k: "x" }, { k: "y" }] }],
  ["the right order wins for shared items",  { keyed: [{ k: "a" }, { k: "b" }, { k: "c" }] }, { keyed: [{ k: "c" }, { k: "a" }] }, { keyed: [{ k: "b" }, { k: "c" }, { k: "a" }] }],
  ["a key's default is its value",           { keyed2: [{ k: "a", v: 1 }] }, { keyed2: [{ k: "a", l: 7, v: 2 }] }, { keyed2: [{ k: "a", v: 2, l: 7 }] }],
  ["another second key is another item",     { keyed2: [{ k: "a", v: 1 }] }, { keyed2: [{ k: "a", l: 8 }] }, { keyed2: [{ k: "a", v: 1 }, { k: "a", l: 8 }] }],
  ["duplicates on the left stay",            { keyed: [{ k: "a", v: 1 }, { k: "a", v: 2 }] }, { keyed: [{ k: "b" }] }, { keyed: [{ k: "a", v: 1 }, { k: "a", v: 2 }, { k: "b" }] }],
  ["duplicates that are named become one",   { keyed: [{ k: "a", v: 1 }, { k: "b" }, { k: "a", v: 2 }] }, { keyed: [{ k: "a", l: 3 }] }, { keyed: [{ k: "a", l: 3 }, { k: "b" }] }],
  ["empty lists keep what they are",         { keyed: [] },                { keyed: null },              { keyed: null }],
  ["unknown members are merged",             { free: { a: { b: 1, c: [1] } } }, { free: { a: { c: [2] } } }, { free: { a: { b: 1, c: [2] } } }],
  ["a value may change its form",            { any: { a: 1 } },            { any: "x" },                 { any: "x" }],
  ["the form of the right side is taken",    { any: "x" },                 { any: { a: 1 } },            { any: { a: 1 } }],
  ["odd names are ordinary",                 { map: JSON.parse(`{"__proto__":"1"}`) }, { map: { constructor: "2" } }, { map: JSON.parse(`{"__proto__":"1","constructor":"2"}`) }],
];

test.each(merges)("merge: %s", (_, left, right, want) => {
  const before = JSON.stringify([left, right]);
  const { value, problems } = mergeValues(thing, left, right);
  expect(problems).toEqual([]);
  expect(JSON.stringify(value)).toBe(JSON.stringify(want));
  expect(JSON.stringify([left, right])).toBe(before);
});

const ALL_KEYS = `associative list with keys has an element that omits all key fields ["k"] (and doesn't have default values for any key fields)`;

// biome-ignore format: one text per line
const invalid: [object, string][] = [
  [{ text: 1 },                                  ".text: expected string, got &value.valueUnstructured{Value:1}"],
  [{ text: { a: ["b", null, 1.5, true] } },      `.text: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":[]interface {}{"b", interface {}(nil), 1.5, true}}}`],
  [{ number: "1" },                              ".number: expected numeric (int or float), got string"],
  [{ flag: "yes" },                              ".flag: expected boolean, got &{yes}"],
  [{ list: "a" },                                ".list: expected list, got &{a}"],
  [{ list: ["a", 1] },                           ".list[1]: expected string, got &value.valueUnstructured{Value:1}"],
  [{ map: ["a"] },                               ".map: expected map, got &{[a]}"],
  [{ other: 1 },                                 ".other: field not declared in schema"],
  [{ struct: { x: 1 } },                         ".struct.x: field not declared in schema"],
  [{ keyed: [{ k: "a", x: 1 }] },                `.keyed[k="a"].x: field not declared in schema`],
  [{ keyed2: [{ k: "a", x: 1 }] },               `.keyed2[k="a",l=7].x: field not declared in schema`],
  [{ keyed: [{ v: 1 }] },                        `.keyed: element 0: ${ALL_KEYS}`],
  [{ keyed: [null] },                            ".keyed: element 0: associative list with keys may not have a null element"],
  [{ keyed: ["a"] },                             ".keyed: element 0: associative list with keys may not have non-map elements"],
  [{ keyed: [{ k: "a" }, { k: "a" }] },          `.keyed: duplicate entries for key [k="a"]`],
  [{ set: ["a", "b", "a"] },                     `.set: duplicate entries for key [="a"]`],
  [{ set: [{}] },                                ".set: element 0: associative list without keys has an element that's a map type"],
  [{ set: [[]] },                                ".set: element 0: not supported: associative list with lists as elements"],
  [{ set: [null] },                              ".set: element 0: associative list without keys has an element that's an explicit null"],
  [{ text: 1, flag: "no" },                      "errors:\n  .text: expected string, got &value.valueUnstructured{Value:1}\n  .flag: expected boolean, got &{no}"],
];

test.each(invalid)("problem %#", (value, want) => expect(typeProblemsText(validateValue(thing, value))).toBe(want));

test("stored objects may have duplicates", () => {
  const value = { keyed: [{ k: "a" }, { k: "a" }], set: ["x", "x"] };
  expect(validateValue(thing, value, { allowDuplicates: true })).toEqual([]);
});

const texts = (paths: Iterable<Path>): string[] => [...paths].map((path) => pathText(path));

// biome-ignore format: one rule per line
const owned: [string, object, string[]][] = [
  ["scalars, and members of free maps with the maps themselves", { text: "a", map: { a: "1" } }, [".text", ".map.a"]],
  ["items and their fields",                { keyed: [{ k: "a", v: 1 }] },          [`.keyed[k="a"]`, `.keyed[k="a"].k`, `.keyed[k="a"].v`]],
  ["what is atomic, without its parts",     { list: ["a"], whole: { a: "1" }, atom: { v: 1 } }, [".atom", ".list", ".whole"]],
  ["null and empty maps",                   { text: null, map: {}, struct: {} },    [".map", ".struct", ".text"]],
  ["not an empty list of items",            { keyed: [], set: [] },                 []],
  ["duplicates as one",                     { keyed: [{ k: "a", v: 1 }, { k: "a" }] }, [`.keyed[k="a"]`]],
  ["unknown members",                       { free: { a: { b: 1 } } },              [".free.a", ".free.a.b"]],
];

test.each(owned)("fields: %s", (_, value, want) => expect(texts(fieldSetOf(thing, value).paths())).toEqual(want));

// biome-ignore format: one rule per line
const changes: [string, object, object, [string[], string[], string[]]][] = [
  ["nothing",                     { text: "a", set: ["b"] }, { text: "a", set: ["b"] }, [[], [], []]],
  ["a scalar",                    { text: "a" },             { text: "b" },             [[], [".text"], []]],
  ["a number in another form",    { number: 1 },             { number: 1n },            [[], [], []]],
  ["a member",                    { map: { a: "1" } },       { map: { b: "1" } },       [[".map.a"], [], [".map.b"]]],
  ["items",                       { set: ["a", "b"] },       { set: ["b", "c"] },       [[`.set[="a"]`], [], [`.set[="c"]`]]],
  ["order alone is no change",    { set: ["a", "b"] },       { set: ["b", "a"] },       [[], [], []]],
  ["what is atomic",              { list: ["a", "b"] },      { list: ["b", "a"] },      [[], [".list"], []]],
  ["a new duplicate",             { keyed: [{ k: "a", v: 1 }] }, { keyed: [{ k: "a", v: 1 }, { k: "a" }] }, [[`.keyed[k="a"]`, `.keyed[k="a"].k`, `.keyed[k="a"].v`], [], [`.keyed[k="a"]`]]],
  ["another form",                { any: "x" },              { any: { a: 1 } },         [[], [".any"], [".any.a"]]],
  ["empty to null",               { map: {} },               { map: null },             [[], [".map"], []]],
];

test.each(changes)("compare: %s", (_, before, after, want) => {
  const { removed, modified, added, problems } = compareTyped(thing, before, after);
  expect(problems).toEqual([]);
  expect([texts(removed.paths()), texts(modified.paths()), texts(added.paths())]).toEqual(want);
});

test("removing all fields leaves null, and atomics are removed whole", () => {
  const value = { text: "a", map: { a: "1" }, keyed: [{ k: "a", v: 1 }, { k: "b" }], list: ["x"] };
  const gone = fieldSetOf(thing, { text: "a", keyed: [{ k: "a", v: 1 }] });
  expect(removeFields(thing, value, gone)).toEqual({ map: { a: "1" }, keyed: [{ k: "b" }], list: ["x"] });
  expect(removeFields(thing, value, fieldSetOf(thing, { map: { a: "1" } }))).toEqual({ ...value, map: null });
});

test("a field that has become atomic is owned whole", () => {
  const granular: MergeType = customMergeType(
    readSchema({ type: "object", properties: { atom: item(), list: { ...keyed("k") } } }),
  );
  const before = fieldSetOf(granular, { atom: { k: "a" }, list: [{ k: "a" }] });
  expect(texts(reconcileFields(thing, before).paths())).toEqual([".atom", ".list"]);
  expect(reconcileFields(granular, before)).toBe(before);
});

describe("built-in kinds", () => {
  const pod = builtinMergeType({ group: "", version: "v1", kind: "Pod" })!;
  const spec = (value: object): string => typeProblemsText(validateValue(pod, { spec: value }));

  test("an unknown field, a quantity that is a number, a port that is a text", () => {
    expect(spec({ containers: [{ name: "a", imagee: "x" }] })).toBe(
      `.spec.containers[name="a"].imagee: field not declared in schema`,
    );
    const port = { containers: [{ name: "a", livenessProbe: { httpGet: { port: "http" } } }] };
    expect(validateValue(pod, { spec: { ...port, overhead: { cpu: 1 } } })).toEqual([]);
  });

  test("keys have their defaults", () => {
    const ports = (...list: object[]): object => ({ spec: { containers: [{ name: "a", ports: list }] } });
    expect(
      mergeValues(pod, ports({ containerPort: 80, protocol: "TCP" }), ports({ containerPort: 80, name: "web" })).value,
    ).toEqual(ports({ containerPort: 80, protocol: "TCP", name: "web" }));
  });

  test("atomic fields", () => {
    const fields = fieldSetOf(pod, {
      spec: { nodeSelector: { a: "b" }, imagePullSecrets: [{ name: "s" }], containers: [{ name: "a", args: ["x"] }] },
    });
    expect(texts(fields.paths())).toEqual([
      ".spec.nodeSelector",
      `.spec.containers[name="a"]`,
      `.spec.containers[name="a"].args`,
      `.spec.containers[name="a"].name`,
      `.spec.imagePullSecrets[name="s"]`,
    ]);
  });

  test("a kind that contains itself", () => {
    const crd = builtinMergeType({ group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" })!;
    const schema = { properties: { a: { properties: { b: { type: "string" } } } }, default: { x: [1] } };
    const value = { spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } };
    expect(validateValue(crd, value)).toEqual([]);
  });
});
