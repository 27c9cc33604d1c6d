// Points of single expressions, by the rules of docs/reference/coverage.md.

import { kubeEnv } from "@celadon/kube-cel";
import { expect, test } from "vitest";
import { Fallible } from "./fallible.ts";
import { type Answer, pointsOf } from "./points.ts";
import { ADMISSION_SHAPES, type Shapes, schemaShapes } from "./shapes.ts";

const env = kubeEnv();

/** `clause: wants`, one for every clause. */
function points(text: string, answer: Answer = "boolean", shapes: Shapes = ADMISSION_SHAPES, condition = ""): string[] {
  const { ast } = env.parse(text);
  const guards = condition === "" ? new Set<string>() : new Fallible(env.parse(condition).ast!).guards;
  const found = new Map<string, string[]>();
  for (const { range, want } of pointsOf(ast!, { answer, shapes, guards })) {
    const clause = text.slice(range.start, range.end);
    found.set(clause, [...(found.get(clause) ?? []), want]);
  }
  return [...found].map(([clause, wants]) => `${clause}: ${wants.join(" ")}`);
}

// biome-ignore format: one case per line
const cases: { expr: string; answer?: Answer; want: string[] }[] = [
  { expr: "request.name == ''",                        want: ["request.name == '': true false"] },
  { expr: "true",                                      want: ["true: evaluated"] },
  { expr: "'a' + request.name",    answer: "value",    want: ["'a' + request.name: evaluated"] },
  // Chains are flat; constants are no operands.
  { expr: "variables.a && variables.b && variables.c", want: ["variables.a && variables.b && variables.c: true false", "variables.a: true false", "variables.b: true false", "variables.c: true false"] },
  { expr: "variables.a && (variables.b && true)",      want: ["variables.a && (variables.b && true): true false", "variables.a: true false", "variables.b: true false"] },
  { expr: "variables.a || variables.b && variables.c", want: ["variables.a || variables.b && variables.c: true false", "variables.a: true false", "variables.b && variables.c: true false", "variables.b: true false", "variables.c: true false"] },
  { expr: "variables.a ? variables.b : variables.c",   want: ["variables.a ? variables.b : variables.c: true false", "variables.b: taken", "variables.c: taken"] },
  // Macros: their arguments, and nothing of their expansions.
  { expr: "variables.l.all(x, x > 1)",                 want: ["variables.l.all(x, x > 1): true false", "x > 1: true false"] },
  { expr: "variables.l.exists_one(x, x > 1)",          want: ["variables.l.exists_one(x, x > 1): true false", "x > 1: true false"] },
  { expr: "variables.l.filter(x, x > 1) == []",        want: ["variables.l.filter(x, x > 1) == []: true false", "x > 1: true false"] },
  { expr: "variables.l.map(x, x > 1, x + 1) == []",    want: ["variables.l.map(x, x > 1, x + 1) == []: true false", "x > 1: true false", "x + 1: evaluated"] },
  { expr: "variables.l.exists(i, x, x > i)",           want: ["variables.l.exists(i, x, x > i): true false", "x > i: true false"] },
  { expr: "variables.l.all(x, variables.m.exists(y, y == x))", want: ["variables.l.all(x, variables.m.exists(y, y == x)): true false", "variables.m.exists(y, y == x): true false", "y == x: true false"] },
  { expr: "variables.l.sortBy(x, x.a ? 1 : 2) == []",  want: ["variables.l.sortBy(x, x.a ? 1 : 2) == []: true false", "x.a ? 1 : 2: evaluated error", "1: taken", "2: taken"] },
  { expr: "object.?spec.optMap(x, x.y == 1).orValue(true)", want: ["object.?spec.optMap(x, x.y == 1).orValue(true): true false", "x.y == 1: evaluated error"] },
  // An expression that can fail counts once for the smallest clause around it.
  { expr: "object.spec.a == 1",                        want: ["object.spec.a == 1: true false error"] },
  { expr: "object.metadata.labels['a'] == 'b'",        want: ["object.metadata.labels['a'] == 'b': true false error"] },
  { expr: "has(object.spec.a) && object.spec.a == 1",  want: ["has(object.spec.a) && object.spec.a == 1: true false", "has(object.spec.a): true false", "object.spec.a == 1: true false"] },
  { expr: "'a' in object.spec && object.spec.a == 1",  want: ["'a' in object.spec && object.spec.a == 1: true false", "'a' in object.spec: true false", "object.spec.a == 1: true false"] },
  { expr: "has(object.spec.a.b)",                      want: ["has(object.spec.a.b): true false error"] },
  { expr: "object.?spec.a.?b.c.orValue(1) == 1",       want: ["object.?spec.a.?b.c.orValue(1) == 1: true false"] },
  { expr: "object.?spec.?a.value() == 1",              want: ["object.?spec.?a.value() == 1: true false error"] },
  { expr: "variables.m.all(k, variables.m[k] > 1)",    want: ["variables.m.all(k, variables.m[k] > 1): true false", "variables.m[k] > 1: true false"] },
  { expr: "variables.l[0] == 1",                       want: ["variables.l[0] == 1: true false error"] },
  { expr: "size(variables.l) > 0 && variables.l[0] == 1", want: ["size(variables.l) > 0 && variables.l[0] == 1: true false", "size(variables.l) > 0: true false", "variables.l[0] == 1: true false"] },
  { expr: "int(variables.a) > 1",                      want: ["int(variables.a) > 1: true false error"] },
  { expr: "int('3') > variables.a",                    want: ["int('3') > variables.a: true false"] },
  { expr: "variables.a / 2 > 1",                       want: ["variables.a / 2 > 1: true false"] },
  { expr: "2 % variables.a > 1",                       want: ["2 % variables.a > 1: true false error"] },
  { expr: "isQuantity(variables.a) && quantity(variables.a).isInteger()", want: ["isQuantity(variables.a) && quantity(variables.a).isInteger(): true false", "isQuantity(variables.a): true false", "quantity(variables.a).isInteger(): true false"] },
  { expr: "object.metadata.name.matches('^a')",        want: ["object.metadata.name.matches('^a'): true false"] },
  { expr: "(variables.a ? object.spec.x : object.metadata).name == ''", want: ["(variables.a ? object.spec.x : object.metadata).name == '': true false error", "object.spec.x: taken", "object.metadata: taken"] },
];
test.each(cases)("$expr", ({ expr, answer, want }) => expect(points(expr, answer)).toEqual(want));

test("what a match condition tests cannot fail after it", () => {
  expect(points("object.spec.a == 1", "boolean", ADMISSION_SHAPES, "has(object.spec.a)")).toEqual([
    "object.spec.a == 1: true false",
  ]);
});

// biome-ignore format: one case per line
const rules = [
  { expr: "self.needed > self.filled",          want: ["self.needed > self.filled: true false"] },
  { expr: "self.free > 1",                      want: ["self.free > 1: true false error"] },
  { expr: "self.list.all(x, x.name == x.free)", want: ["self.list.all(x, x.name == x.free): true false", "x.name == x.free: true false error"] },
  { expr: "self.list.all(x, x.name == '')",     want: ["self.list.all(x, x.name == ''): true false", "x.name == '': true false"] },
  { expr: "self.a__dash__b == self.metadata.name", want: ["self.a__dash__b == self.metadata.name: true false"] },
  { expr: "self.map['k'].name == ''",           want: ["self.map['k'].name == '': true false error"] },
];
test.each(rules)("in a schema: $expr", ({ expr, want }) => {
  const item = {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, free: { type: "string" } },
  };
  const schema = {
    type: "object",
    required: ["needed", "list", "map", "a-b"],
    properties: {
      needed: { type: "integer" },
      filled: { type: "integer", default: 1 },
      free: { type: "integer" },
      "a-b": { type: "string" },
      list: { type: "array", items: item },
      map: { type: "object", additionalProperties: item },
    },
  };
  expect(points(expr, "boolean", schemaShapes(schema, true))).toEqual(want);
});
