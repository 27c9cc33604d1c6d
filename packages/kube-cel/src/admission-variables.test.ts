import { BOOL, celError, DYN, INT, listOf, mapOf, optionalOf, STRING, type Type } from "@celadon/cel";
import { abstractStruct } from "@celadon/cel/types";
import { expect, test } from "vitest";
import { admissionTypes, admissionVariables } from "./admission-variables.ts";
import { compileExpression } from "./compile.ts";
import {
  ComposedVariables,
  variableFailsToCompile,
  variableFailsToEvaluate,
  variablesType,
} from "./composed-variables.ts";
import { declaredTypes } from "./declared-type.ts";
import { kubeEnv } from "./environment.ts";

test("params and authorizer exist if declared", () => {
  expect(Object.keys(admissionVariables())).toEqual(["object", "oldObject", "namespaceObject", "request"]);
  expect(Object.keys(admissionVariables({ params: true, authorizer: true }))).toEqual([
    "object",
    "oldObject",
    "namespaceObject",
    "request",
    "params",
    "authorizer",
    "authorizer.requestResource",
  ]);
});

const env = kubeEnv({ variables: admissionVariables(), provider: admissionTypes });

// biome-ignore format: one field per line
const fields = [
  ["request.kind.version",                               "string"],
  ["request.requestResource.resource",                   "string"],
  ["request.namespace",                                  "string"],
  ["request.dryRun",                                     "bool"],
  ["request.options",                                    "dyn"],
  ["request.userInfo.extra['x'][0]",                     "string"],
  ["namespaceObject.metadata.labels",                    "map(string, string)"],
  ["namespaceObject.metadata.creationTimestamp",         "google.protobuf.Timestamp"],
  ["namespaceObject.metadata.generation",                "int"],
  ["namespaceObject.status.conditions[0].type",          "string"],
] as const;
test.each(fields)("%s is of type %s", (expr, type) => {
  const compiled = compileExpression(env, expr);
  expect(compiled.ok && String(compiled.checked.type)).toBe(type);
});

test.each(["request.uid", "request.object", "namespaceObject.metadata.uid", "namespaceObject.kind"])(
  "%s is no field",
  (expr) => {
    expect(compileExpression(env, expr)).toMatchObject({ message: expect.stringContaining("undefined field") });
  },
);

test("declared fields are read as own properties of plain data", () => {
  const run = (expr: string) =>
    env.program(expr).evaluate({ object: {}, oldObject: null, namespaceObject: null, request: { name: "x" } } as never);
  expect(run("request.name").value).toBe("x");
  expect(run("request.namespace").error?.message).toBe("no such key: namespace");
  expect(run("has(request.dryRun)").value).toBe(false);
  expect(run("namespaceObject == null").value).toBe(true);
});

// biome-ignore format: one type per line
const composed: readonly [Type | undefined, string][] = [
  [INT,                                   "int"],
  [listOf(STRING),                        "list(string)"],
  [mapOf(STRING, listOf(BOOL)),           "map(string, list(bool))"],
  [optionalOf(INT),                       "dyn"],
  [abstractStruct("kubernetes.Quantity"), "dyn"],
  [listOf(optionalOf(INT)),               "list(dyn)"],
  [DYN,                                   "dyn"],
  [undefined,                             "dyn"],
];
test.each(composed)("a variable of type %s is %s to later expressions", (type, seen) => {
  expect(String(variablesType(new Map([["v", type]])).field("v")?.type)).toBe(seen);
});

test("variables are evaluated when first read, once, and their errors are kept", () => {
  const read: string[] = [];
  const reading = (name: string, value: unknown): [string, () => unknown] => [
    name,
    () => {
      read.push(name);
      return value;
    },
  ];
  const variables = new ComposedVariables(
    new Map([
      reading("one", 1),
      reading("broken", variableFailsToEvaluate("broken", celError("no_such_key", "no such key: x"))),
      reading("unused", variableFailsToCompile("unused", "compilation failed: …")),
    ]),
  );
  const type = variablesType(
    new Map<string, Type | undefined>([
      ["one", INT],
      ["broken", BOOL],
      ["unused", undefined],
    ]),
  );
  const composedEnv = kubeEnv({ variables: { variables: type.type }, provider: declaredTypes([type]) });
  for (const mode of ["interpreted", "compiled"] as const) {
    const run = (expr: string) => composedEnv.program(expr, { mode }).evaluate({ variables } as never);
    expect(run("variables.one + variables.one")).toMatchObject({ value: 2, cost: 5 });
    expect(run("variables.broken || variables.one == 1")).toMatchObject({ value: true });
    expect(run("variables.broken").error?.message).toBe(
      'composited variable "broken" fails to evaluate: no such key: x',
    );
  }
  expect(read).toEqual(["one", "broken"]);
  expect(compileExpression(composedEnv, "variables.none")).toMatchObject({
    message: expect.stringContaining("undefined field 'none'"),
  });
});
