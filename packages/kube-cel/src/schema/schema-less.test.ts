// Data without a schema, as admission expressions see it: plain JSON, nothing is adapted.

import { Double, DYN, formatType } from "@celadon/cel";
import { typeOf } from "@celadon/cel/values";
import { describe, expect, test } from "vitest";
import { kubeEnv } from "../environment.ts";

const object = {
  metadata: { labels: { "a/b": "c" } },
  "x-y": 1,
  x__dash__y: "literal",
  spec: {
    one: 1,
    whole: new Double(1),
    half: 1.5,
    big: 9223372036854775807n,
    none: null,
    text: "1h",
    when: "2020-01-02T03:04:05Z",
    set: ["b", "a"],
    constructorless: {},
  },
};

// biome-ignore format: one expression per line
const cases: readonly (readonly [expr: string, want: unknown])[] = [
  ["object['x-y']",                                        1],
  ["object.metadata.labels['a/b']",                        "c"],
  ["object.x__dash__y",                                    "literal"],
  ["type(object.spec.one) == int",                         true],
  ["type(object.spec.whole) == double",                    true],
  ["type(object.spec.half) == double",                     true],
  ["type(object.spec.big) == int",                         true],
  ["object.spec.one == 1.0 && object.spec.whole == 1",     true],
  ["object.spec.one < object.spec.half",                   true],
  ["object.spec.one + object.spec.half",                   { error: "no such overload" }],
  ["object.spec.missing",                                  { error: "no such key: missing" }],
  ["has(object.spec.missing)",                             false],
  ["has(object.missing.field)",                            { error: "no such key: missing" }],
  ["has(object.spec.none)",                                true],
  ["object.spec.none == null",                             true],
  ["object.spec.none.field",                               { error: "no such key: field" }],
  ["has(object.spec.one.field)",                           false],
  ["oldObject == null",                                    true],
  ["oldObject.spec",                                       { error: "no such key: spec" }],
  ["has(oldObject.spec)",                                  false],
  ["object.spec.set == ['b', 'a']",                        true],
  ["object.spec.set == ['a', 'b']",                        false],
  ["(object.spec.set + ['a']).size()",                     3],
  ["type(object.spec.text) == string",                     true],
  ["type(object.spec.when) == string",                     true],
  ["duration(object.spec.text) == duration('60m')",        true],
  ["has(object.spec.constructorless.constructor)",         false],
  ["object.spec.constructorless.__proto__",                { error: "no such key: __proto__" }],
];

const env = kubeEnv({ variables: { object: DYN, oldObject: DYN } });

describe.each(["interpreted", "compiled"] as const)("%s", (mode) => {
  test.each(cases)("%s", (expr, want) => {
    const { value, error } = env.program(expr, { mode }).evaluate({ object, oldObject: null });
    expect(error ? { error: error.message } : value).toEqual(want);
  });
});

test("a number without fraction is an int, every other a double", () => {
  expect([1, 2 ** 53, 1.5, 1e300, 5n].map((n) => formatType(typeOf(n)))).toEqual([
    "int",
    "double",
    "double",
    "double",
    "int",
  ]);
});
