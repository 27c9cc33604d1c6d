// Rules on objects: failures and their messages, errors, budgets, transitions, ratcheting.

import type { JsonObject } from "@celadon/base";
import { describe, expect, test } from "vitest";
import { texts, widget, widgets, withProperties } from "../widgets.testing.ts";

const INTEGER = { type: "integer" };
const STRING = { type: "string", maxLength: 20 };

function onSpec(properties: JsonObject, ...rules: JsonObject[]): ReturnType<typeof widgets> {
  return widgets(withProperties(properties, { "x-kubernetes-validations": rules }));
}

function on(schema: JsonObject, ...rules: JsonObject[]): ReturnType<typeof widgets> {
  return widgets(withProperties({ a: { ...schema, "x-kubernetes-validations": rules } }));
}

const create = (version: ReturnType<typeof widgets>, spec: JsonObject): string[] =>
  texts(version.validateCreate(widget({ spec })).errors);

test("no rule is evaluated after the deadline", () => {
  const version = on(INTEGER, { rule: "self > 0" }, { rule: "self > 1" });
  const { errors } = version.validateCreate(widget({ spec: { a: 2 } }), { deadline: 1 });
  expect(texts(errors)).toEqual([
    'spec.a: Invalid value: "integer": operation interrupted evaluating rule: self > 0: no further validation rules will be run',
  ]);
  expect(version.validateCreate(widget({ spec: { a: 2 } }), { deadline: Number.POSITIVE_INFINITY }).errors).toEqual([]);
});

describe("failures", () => {
  const rule = "self > 0";
  // biome-ignore format: one case per row
  test.each([
    ["the rule itself", { rule: " self > 0 " }, "spec.a: Invalid value: -1: failed rule: self > 0"],
    ["message", { rule, message: " must be positive " }, "spec.a: Invalid value: -1: must be positive"],
    ["Forbidden", { rule, message: "m", reason: "FieldValueForbidden" }, "spec.a: Forbidden: m"],
    ["Required", { rule, message: "m", reason: "FieldValueRequired" }, "spec.a: Required value: m"],
    ["Duplicate drops the message", { rule, message: "m", reason: "FieldValueDuplicate" }, "spec.a: Duplicate value: -1"],
    ["messageExpression", { rule, messageExpression: "'got %d'.format([self])" }, "spec.a: Invalid value: -1: got -1"],
    ["messageExpression before message", { rule, message: "m", messageExpression: "'got %d'.format([self])" }, "spec.a: Invalid value: -1: got -1"],
    ["messageExpression that fails", { rule, message: "m", messageExpression: "['x'][5]" }, "spec.a: Invalid value: -1: m"],
    ["messageExpression that is blank", { rule, messageExpression: "' '" }, "spec.a: Invalid value: -1: failed rule: self > 0"],
    ["blanks as Go knows them", { rule, message: "\u0085\ufeffm\u0085" }, "spec.a: Invalid value: -1: \ufeffm"],
    ["messageExpression of two lines", { rule, messageExpression: "'a\\nb'" }, "spec.a: Invalid value: -1: failed rule: self > 0"],
  ])("%s", (_, given, want) => expect(create(on(INTEGER, given), { a: -1 })).toEqual([want]));

  test("of an object shows no value, at fieldPath", () => {
    const version = onSpec(
      { a: INTEGER, m: { type: "object", additionalProperties: STRING } },
      { rule: "self.a > 0", message: "m" },
      { rule: "self.a > 0", message: "m", fieldPath: ".a" },
      { rule: "self.a > 0", message: "m", fieldPath: ".m['k.l']", reason: "FieldValueDuplicate" },
    );
    expect(create(version, { a: -1 })).toEqual([
      "spec: Invalid value: m",
      "spec.a: Invalid value: m",
      "spec.m[k.l]: Duplicate value",
    ]);
  });
  test("of a string is quoted as Go quotes", () => {
    expect(create(on(STRING, { rule: "self == 'x'", message: "m" }), { a: 'quo"te\n' })).toEqual([
      'spec.a: Invalid value: "quo\\"te\\n": m',
    ]);
  });
  test("at the root has no path", () => {
    const version = widgets({
      type: "object",
      "x-kubernetes-validations": [{ rule: "self.metadata.name == 'x'", message: "m" }],
    });
    expect(texts(version.validateCreate(widget({})).errors)).toEqual(["<nil>: Invalid value: m"]);
  });
  test("of map values and items name their place", () => {
    const rules = [{ rule: "self > 0", message: "m" }];
    const version = widgets(
      withProperties({
        m: {
          type: "object",
          maxProperties: 5,
          additionalProperties: { type: "integer", "x-kubernetes-validations": rules },
        },
        l: { type: "array", maxItems: 5, items: { type: "integer", "x-kubernetes-validations": rules } },
      }),
    );
    expect(create(version, { m: { "a.b": -1 }, l: [1, -2] })).toEqual([
      "spec.m[a.b]: Invalid value: -1: m",
      "spec.l[1]: Invalid value: -2: m",
    ]);
  });
});

describe("errors", () => {
  test("name the type and the rule or its message", () => {
    const version = onSpec(
      { a: INTEGER, b: { "x-kubernetes-int-or-string": true } },
      { rule: "self.a > 0" },
      { rule: "self.a > 0", message: "m" },
      { rule: "self.b + 1 > 0", fieldPath: ".b" },
    );
    expect(create(version, { b: "x" })).toEqual([
      'spec: Invalid value: "object": no such key: a evaluating rule: self.a > 0',
      'spec: Invalid value: "object": no such key: a evaluating rule: m',
      `spec: Invalid value: "object": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.b + 1 > 0`,
    ]);
  });
  test("of one call that costs too much end everything", () => {
    const rules = [{ rule: "self.all(x, self.all(y, x <= y || x > y))", message: "m" }, { rule: "false" }];
    const version = widgets(
      withProperties({ l: { type: "array", maxItems: 500, items: INTEGER, "x-kubernetes-validations": rules } }),
    );
    expect(create(version, { l: Array.from({ length: 500 }, (_, i) => i) })).toEqual([
      `spec.l: Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: m`,
    ]);
  });
  test("of data that schemas accept and rules do not", () => {
    expect(
      create(on({ type: "string", format: "byte", maxLength: 20 }, { rule: "self == b''" }), { a: "+/+/" }),
    ).toEqual([
      "spec.a: Invalid value: \"string\": Invalid byte formatted string +/+/: illegal base64 data at input byte 0 evaluating rule: self == b''",
    ]);
  });
});

test("rules do not run after errors that would mislead them", () => {
  const version = onSpec({ a: INTEGER, b: STRING }, { rule: "false", message: "m" });
  expect(create(version, { a: "x" })).toEqual([
    'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
    "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
  ]);
});

test("the budget of an object is shared by its rules", () => {
  const rule = "self.all(x, self.all(y, x == y || x != y))";
  const list = {
    type: "array",
    maxItems: 130,
    items: { type: "integer" },
    "x-kubernetes-validations": [{ rule, message: "m" }],
  };
  const names = Array.from({ length: 90 }, (_, i) => `f${i}`);
  const version = widgets(withProperties(Object.fromEntries(names.map((name) => [name, list]))));
  const value = Array.from({ length: 130 }, (_, i) => i);
  const errors = create(version, Object.fromEntries(names.map((name) => [name, value])));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(
    /: Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run$/,
  );
});

describe("transition rules", () => {
  const update = (version: ReturnType<typeof widgets>, old: JsonObject, spec: JsonObject): string[] =>
    texts(version.validateUpdate(widget({ spec }), widget({ spec: old })).errors);
  const immutable = { rule: "self == oldSelf", message: "immutable" };

  // biome-ignore format: one case per row
  test.each([
    ["the same", { a: 1 }, { a: 1 }, []],
    ["another", { a: 1 }, { a: 2 }, ["spec.a: Invalid value: 2: immutable"]],
    ["new", {}, { a: 2 }, []],
    ["gone", { a: 1 }, {}, []],
  ])("%s", (_, old, spec, want) => expect(update(on(INTEGER, immutable), old, spec)).toEqual(want));

  test("do not run on create", () => expect(create(on(INTEGER, immutable), { a: 1 })).toEqual([]));

  test("with an optional old value run always", () => {
    const version = on(INTEGER, {
      rule: "oldSelf.hasValue() ? self >= oldSelf.value() : self == 0",
      message: "m",
      optionalOldSelf: true,
    });
    expect(create(version, { a: 1 })).toEqual(["spec.a: Invalid value: 1: m"]);
    expect(create(version, { a: 0 })).toEqual([]);
    expect(update(version, { a: 2 }, { a: 1 })).toEqual(["spec.a: Invalid value: 1: m"]);
    expect(update(version, {}, { a: 1 })).toEqual(["spec.a: Invalid value: 1: m"]);
  });

  test("find items of keyed lists by key and map values by name", () => {
    const version = widgets(
      withProperties({
        l: {
          type: "array",
          maxItems: 5,
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k"],
          items: {
            type: "object",
            required: ["k"],
            properties: { k: STRING, v: { type: "integer", "x-kubernetes-validations": [immutable] } },
          },
        },
        m: {
          type: "object",
          maxProperties: 5,
          additionalProperties: { type: "integer", "x-kubernetes-validations": [immutable] },
        },
      }),
    );
    const old = {
      l: [
        { k: "x", v: 1 },
        { k: "y", v: 2 },
      ],
      m: { p: 1 },
    };
    expect(
      update(version, old, {
        l: [
          { k: "z", v: 9 },
          { k: "y", v: 3 },
          { k: "x", v: 1 },
        ],
        m: { p: 2, q: 3 },
      }),
    ).toEqual(["spec.l[1].v: Invalid value: 3: immutable", "spec.m[p]: Invalid value: 2: immutable"]);
  });

  test.each([
    [["k"], []],
    [["k", "j"], ["spec.l[0].v: Invalid value: 2: immutable"]],
  ])("tell floats apart by key %j", (keys, want) => {
    const version = widgets(
      withProperties({
        l: {
          type: "array",
          maxItems: 5,
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": keys,
          items: {
            type: "object",
            required: ["k", "j"],
            properties: {
              k: { type: "number" },
              j: STRING,
              v: { type: "integer", "x-kubernetes-validations": [immutable] },
            },
          },
        },
      }),
    );
    const item = (k: number, v: number): JsonObject => ({ l: [{ k, j: "", v }] });
    expect(update(version, item(0.12345679, 1), item(0.12345678, 2))).toEqual(want);
  });
});

describe("ratcheting", () => {
  const positive = { rule: "self > 0", message: "m" };
  const version = widgets(
    withProperties(
      { a: { type: "integer", "x-kubernetes-validations": [positive] }, b: INTEGER },
      { "x-kubernetes-validations": [{ rule: "!has(self.a) || self.a > -5", message: "parent" }] },
    ),
  );
  const update = (old: JsonObject, spec: JsonObject): { errors: string[]; ratcheted: string[] } => {
    const found = version.validateUpdate(widget({ spec }), widget({ spec: old }));
    return { errors: texts(found.errors), ratcheted: texts(found.ratcheted) };
  };
  test("an unchanged failure is a warning", () =>
    expect(update({ a: -1, b: 1 }, { a: -1, b: 2 })).toEqual({
      errors: [],
      ratcheted: ["spec.a: Invalid value: -1: m"],
    }));
  test("a changed one is not", () =>
    expect(update({ a: -1 }, { a: -2 })).toEqual({ errors: ["spec.a: Invalid value: -2: m"], ratcheted: [] }));
  test("a rule on the parent holds once anything in it changes", () => {
    expect(update({ a: -9, b: 1 }, { a: -9, b: 2 })).toEqual({
      errors: ["spec: Invalid value: parent"],
      ratcheted: ["spec.a: Invalid value: -9: m"],
    });
    expect(update({ a: -9 }, { a: -9 }).errors).toEqual([]);
  });
  test("errors of evaluation are never overlooked", () => {
    const failing = onSpec({ a: INTEGER }, { rule: "self.a > 0" });
    expect(texts(failing.validateUpdate(widget({ spec: {} }), widget({ spec: {} })).errors)).toHaveLength(1);
  });
});
