import { Double } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import { readDocument } from "@celadon/kube/read";
import { describe, expect, test } from "vitest";
import { applyJsonPatch, type PatchOperation, readJsonPatch, TestFailed } from "./json-patch.ts";
import { applyMergePatch } from "./merge-patch.ts";

const DOC = { a: { b: [1, 2, { c: "x" }], n: null }, "x/y": 1, "~": 2 };
const op = (...operations: object[]): readonly PatchOperation[] => operations as PatchOperation[];

/** Reads JSON as servers do. */
function readJson(text: string): unknown {
  const read = readDocument(text, { format: "json", double: (n) => new Double(n) });
  return "value" in read ? read.value : undefined;
}

describe("JSON patch", () => {
  // biome-ignore format: one case per line
  const cases: [readonly PatchOperation[], object][] = [
    [op({ op: "add", path: "/a/b/0", value: 0 }),              { ...DOC, a: { ...DOC.a, b: [0, 1, 2, { c: "x" }] } }],
    [op({ op: "add", path: "/a/b/-", value: 3 }),              { ...DOC, a: { ...DOC.a, b: [1, 2, { c: "x" }, 3] } }],
    [op({ op: "add", path: "/a/b/-1", value: 3 }),             { ...DOC, a: { ...DOC.a, b: [1, 2, { c: "x" }, 3] } }],
    [op({ op: "add", path: "/a", value: 1 }),                  { ...DOC, a: 1 }],
    [op({ op: "replace", path: "/new", value: 1 }),            { ...DOC, new: 1 }],
    [op({ op: "replace", path: "", value: { z: 1 } }),         { z: 1 }],
    [op({ op: "remove", path: "/a/b/-1" }),                    { ...DOC, a: { ...DOC.a, b: [1, 2] } }],
    [op({ op: "remove", path: "/a/n" }),                       { ...DOC, a: { b: DOC.a.b } }],
    [op({ op: "remove", path: "/x~1y" }, { op: "remove", path: "/~0" }), { a: DOC.a }],
    [op({ op: "move", from: "/a/b/2/c", path: "/c" }),         { ...DOC, a: { ...DOC.a, b: [1, 2, {}] }, c: "x" }],
    [op({ op: "copy", from: "/a/b/2", path: "/c" }, { op: "add", path: "/c/d", value: 1 }), { ...DOC, c: { c: "x", d: 1 } }],
    [op({ op: "test", path: "/a/n", value: null }, { op: "test", path: "/a/b", value: [1, 2, { c: "x" }] }, { op: "test", path: "/none" }), DOC],
    [op({ op: "test", path: "", value: DOC }),                 DOC],
    [op({ op: "add", path: "/__proto__", value: 1 }),          JSON.parse(`{"a":{"b":[1,2,{"c":"x"}],"n":null},"x/y":1,"~":2,"__proto__":1}`)],
  ];
  test.each(cases)("applied %#", (operations, want) => {
    const before = JSON.stringify(DOC);
    expect(JSON.stringify(applyJsonPatch(DOC, operations))).toBe(JSON.stringify(want));
    expect(JSON.stringify(DOC)).toBe(before);
  });

  // biome-ignore format: one text per line
  const errors: [object, string][] = [
    [{ op: "add", path: "/q/r", value: 1 },       `add operation does not apply: doc is missing path: "/q/r": missing value`],
    [{ op: "add", value: 1 },                     "add operation failed to decode path: missing value"],
    [{ op: "add", path: "/a/b/9", value: 1 },     "error in add for path: '/a/b/9': Unable to access invalid index: 9: invalid index referenced"],
    [{ op: "add", path: "/a/b/x", value: 1 },     `error in add for path: '/a/b/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`],
    [{ op: "remove", path: "/q" },                "error in remove for path: '/q': Unable to remove nonexistent key: q: missing value"],
    [{ op: "remove", path: "/a/b/x" },            `error in remove for path: '/a/b/x': strconv.Atoi: parsing "x": invalid syntax`],
    [{ op: "remove", path: "/q/r" },              `remove operation does not apply: doc is missing path: "/q/r": missing value`],
    [{ op: "replace", path: "/a/b/-", value: 1 }, "replace operation does not apply: doc is missing key: /a/b/-: missing value"],
    [{ op: "replace", path: "/q/r", value: 1 },   "replace operation does not apply: doc is missing path: /q/r: missing value"],
    [{ op: "replace", path: 1, value: 1 },        "replace operation failed to decode path: json: cannot unmarshal number into Go value of type string"],
    [{ op: "move", path: "/z" },                  "move operation failed to decode from: operation, missing from field: missing value"],
    [{ op: "move", from: "/a/q", path: "/z" },    "error in move for path: 'q': Unable to remove nonexistent key: q: missing value"],
    [{ op: "copy", from: "/q/r", path: "/z" },    "copy operation does not apply: doc is missing from path: /q/r: missing value"],
    [{ op: "test", path: "/q/r", value: 1 },      "test operation does not apply: is missing path: /q/r: missing value"],
    [{ op: "test", path: "/a/b/9", value: 1 },    "error in test for path: '/a/b/9': Unable to access invalid index: 9: invalid index referenced"],
    [{ op: "frob", path: "/a" },                  "Unexpected kind: frob"],
    [{ path: "/a" },                              "Unexpected kind: unknown"],
  ];
  test.each(errors)("error %#", (operation, want) =>
    expect(applyJsonPatch(DOC, op(operation))).toEqual(new Invalid(want)),
  );

  test("a failed test operation has its own error", () => {
    const failed = applyJsonPatch(DOC, op({ op: "test", path: "/a/b/0", value: 2 }));
    expect(failed).toBeInstanceOf(TestFailed);
    expect((failed as TestFailed).message).toBe("testing value /a/b/0 failed: test failed");
  });

  // biome-ignore format: one case per line
  test.each([
    // What is there      as it was sent        holds
    [1,                   "1",                  true],
    [1,                   "1.0",                false],
    [1,                   "1e0",                false],
    [new Double(1),       "1",                  true],
    [new Double(1),       "1.0",                false],
    [1.5,                 "1.50",               false],
    [9007199254740993n,   "9007199254740993",   true],
    [9007199254740993n,   "9007199254740992",   false],
    ["a<b",               '"a\\u003cb"',        true],
    ["a<b",               '"a<b"',              false],
    ["é",                 '"é"',                true],
    ["é",                 '"\\u00e9"',          false],
    [[1, { x: "y" }],     '[ 1, {"x" : "y"} ]', true],
    [{ a: 1, b: [] },     '{"b":[],"\\u0061":1}', true],
    [{ a: null },         '{"a":null}',         true],
    [null,                "null",               true],
    [true,                '"true"',             false],
  ])("a test %#", (there, text, want) => {
    const patch = `[ {"op":"test", "path":"/v", "value":${text} }, {"op":"add","path":"/w","value":1}]`;
    const operations = readJsonPatch(readJson(patch), patch) as readonly PatchOperation[];
    const patched = applyJsonPatch({ v: there }, operations);
    if (want) expect(patched).toEqual({ v: there, w: 1 });
    else expect(patched).toBeInstanceOf(TestFailed);
  });

  test("a value from the patch is compared as it was sent", () => {
    const patch = `[{"op":"add","path":"/v","value":"a<b"},{"op":"test","path":"/v","value":"a<b"}]`;
    const operations = readJsonPatch(readJson(patch), patch) as readonly PatchOperation[];
    expect(applyJsonPatch({}, operations)).toEqual({ v: "a<b" });
  });

  test("values that are no patches", () => {
    expect(readJsonPatch({})).toEqual(
      new Invalid("json: cannot unmarshal object into Go value of type jsonpatch.Patch"),
    );
    expect(readJsonPatch([1])).toEqual(
      new Invalid("json: cannot unmarshal number into Go value of type jsonpatch.Operation"),
    );
    expect(readJsonPatch([null])).toEqual([{}]);
  });

  test("copies that double are stopped, and nothing is changed", () => {
    const document = { a: ["x".repeat(1000)] };
    const doubling = op(...Array.from({ length: 64 }, () => ({ op: "copy", from: "/a", path: "/a/-" })));
    expect((applyJsonPatch(document, doubling) as Invalid).message).toMatch(/^Unable to complete the copy/);
    expect(document).toEqual({ a: ["x".repeat(1000)] });
  });

  test("many operations on a large list copy it once", () => {
    const list = Array.from({ length: 10_000 }, (_, i) => i);
    const operations = op(...list.map((i) => ({ op: "replace", path: `/list/${i}`, value: -i })));
    const { list: patched } = applyJsonPatch({ list }, operations) as { list: number[] };
    expect(patched[9_999]).toBe(-9_999);
    expect(list[9_999]).toBe(9_999);
  });
});

describe("merge patch", () => {
  // biome-ignore format: one case per line
  const cases: [object, unknown, unknown][] = [
    [{ a: 1, b: 2 },             { a: null },                     { b: 2 }],
    [{ a: { b: 1 } },            { a: { c: 2 } },                 { a: { b: 1, c: 2 } }],
    [{ a: [1, 2] },              { a: [3] },                      { a: [3] }],
    [{},                         { a: { b: null, c: 1 } },        { a: { c: 1 } }],
    [{ a: 1 },                   { a: { b: null } },              { a: {} }],
    [{ a: {} },                  { a: [{ b: null }] },            { a: [{ b: null }] }],
    [{},                         { a: [{ b: null }, null] },      { a: [{}, null] }],
    [{ a: null },                { a: { b: null } },              { a: {} }],
    [{},                         [{ a: null }],                   [{}]],
    [{},                         null,                            new Invalid("Invalid JSON Patch")],
    [{},                         "x",                             new Invalid("Invalid JSON Patch")],
    [{},                         JSON.parse(`{"__proto__":{"x":1}}`), JSON.parse(`{"__proto__":{"x":1}}`)],
  ];
  test.each(cases)("%#", (document, patch, want) => {
    const before = JSON.stringify([document, patch]);
    expect(JSON.stringify(applyMergePatch(document as Record<string, unknown>, patch))).toBe(JSON.stringify(want));
    expect(JSON.stringify([document, patch])).toBe(before);
  });
});
