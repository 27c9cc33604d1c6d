import { isError, listOf } from "@celadon/cel";
import { describe, expect, test } from "vitest";
import { compileExpression } from "../compile.ts";
import { kubeEnv } from "../environment.ts";
import { jsonPatchLibrary } from "../library/index.ts";
import { JSON_PATCH, JsonPatchValue } from "./json-patch-value.ts";
import { OBJECT, ObjectValue, typeNameProblems } from "./object-value.ts";
import { mutationTypes } from "./types.ts";

const env = kubeEnv({ provider: mutationTypes, engine: { libraries: [jsonPatchLibrary] } });

function run(text: string): unknown {
  const compiled = compileExpression(env, text);
  if (!compiled.ok) throw new Error(compiled.message);
  const { value } = compiled.program.evaluate({});
  return isError(value) ? value.message : value;
}

function problem(text: string, ...returnTypes: Parameters<typeof listOf>[0][]): string {
  const compiled = compileExpression(env, text, returnTypes.length === 0 ? {} : { returnTypes });
  return compiled.ok ? "" : compiled.message;
}

describe("Object", () => {
  // biome-ignore format: one case per line
  const cases: [string, unknown][] = [
    [`Object{}.f == null`,                                                    true],
    [`has(Object{}.f)`,                                                       false],
    [`has(Object{f: 1}.f) && Object{f: 1}.f == 1`,                            true],
    [`Object{spec: Object.spec{a: 1}}.spec.a`,                                1],
    [`Object{a: [1]} == Object{a: [1]}`,                                      true],
    [`Object{a: 1} == Object{a: 2}`,                                          false],
    [`dyn(Object.spec{}) == Object.status{}`,                                 false],
    [`has(Object{?f: optional.none()}.f)`,                                    false],
    [`Object{?f: optional.of(3)}.f`,                                          3],
    [`Object.spec.template.spec.containers{name: "a"}.name`,                  "a"],
  ];
  test.each(cases)("%s", (text, want) => expect(run(text)).toEqual(want));

  test("the result is recognised by its type", () => {
    expect(problem("Object{}", OBJECT)).toBe("");
    expect(problem("Object.spec{}", OBJECT)).toBe("must evaluate to Object but got Object.spec");
    expect(problem("1 < 2", OBJECT)).toBe("must evaluate to Object but got bool");
  });

  test("names are those of the places", () => {
    const wrong = run(`Object{spec: Object.specx{a: [Object.spec.b{}], m: {"k": Object.specx.m{}}}}`) as ObjectValue;
    expect(typeNameProblems(wrong)).toEqual([
      `unexpected type name "Object.specx", expected "Object.spec", which matches field name path from root Object type`,
      `unexpected type name "Object.spec.b", expected "Object.spec.a", which matches field name path from root Object type`,
      `unexpected type name "Object.specx.m", expected "Object.spec.m", which matches field name path from root Object type`,
    ]);
    const right = run(`Object{spec: Object.spec{containers: [Object.spec.containers{name: "a"}], l: {"k": "v"}}}`);
    expect(typeNameProblems(right as ObjectValue)).toEqual([]);
    expect(typeNameProblems(run("Object.any{x: Object.any.x{}}") as ObjectValue)).toEqual([]);
  });
});

describe("JSONPatch", () => {
  test("an operation", () => {
    const [first] = run(`[JSONPatch{op: "add", path: "/a", value: Object.x{y: 1}}]`) as JsonPatchValue[];
    expect(first).toBeInstanceOf(JsonPatchValue);
    expect(first).toMatchObject({ op: "add", path: "/a", from: "" });
    expect(first!.value).toBeInstanceOf(ObjectValue);
  });

  // biome-ignore format: one case per line
  const cases: [string, unknown][] = [
    [`has(JSONPatch{}.op)`,                                      false],
    [`has(JSONPatch{value: null}.value)`,                        true],
    [`JSONPatch{op: "x"}.op`,                                    "x"],
    [`JSONPatch{op: "x", value: 1} == JSONPatch{op: "x", value: 1}`, true],
    [`JSONPatch{op: "x"} == JSONPatch{op: "x", value: 1}`,       false],
    [`jsonpatch.escapeKey("k8s.io/my~label")`,                   "k8s.io~1my~0label"],
  ];
  test.each(cases)("%s", (text, want) => expect(run(text)).toEqual(want));

  // biome-ignore format: one text per line
  const problems: [string, string][] = [
    [`[JSONPatch{op: 1}]`,         "expected type of field 'op' is 'string' but provided type is 'int'"],
    [`[JSONPatch{nope: "x"}]`,     "expected type of field 'nope' is '' but provided type is 'string'"],
    [`[]`,                         "must evaluate to list(JSONPatch) but got list(dyn)"],
  ];
  test.each(problems)("%s", (text, want) => expect(problem(text, listOf(JSON_PATCH))).toContain(want));

  test("an empty list beside another is of its type", () => {
    expect(problem(`true ? [JSONPatch{op: "add"}] : []`, listOf(JSON_PATCH))).toBe("");
  });
});

test("neither exists without its types", () => {
  const compiled = compileExpression(kubeEnv(), "Object{}");
  expect(compiled.ok ? "" : compiled.message).toContain("undeclared reference to 'Object' (in container '')");
});
