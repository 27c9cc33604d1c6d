// Properties over random schemas and objects: pruning and defaulting are idempotent, ratcheting never lets a changed invalid
// value pass, and rules answer alike compiled and interpreted.

import { deepEqual } from "@celadon/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dropNulls, fillDefaults } from "./object/fill-defaults.ts";
import { prune } from "./object/prune.ts";
import { evaluateRules } from "./rules/evaluate.ts";
import { compileRuleTree } from "./rules/rule-tree.ts";
import type { JsonSchema } from "./schema/json-schema.ts";
import { Correlation } from "./value/correlation.ts";
import { ValueValidator } from "./value/validator.ts";

const NAMES = ["a", "b", "c", "__proto__", "x-y"];
const name = fc.constantFrom(...NAMES);

const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constant(null),
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom("", "x", "long text"),
    fc.boolean(),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(name, tie("any"), { maxKeys: 3 }),
  ),
})).any;

const schema = fc.letrec<{ node: JsonSchema }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    fc.record(
      { type: fc.constant("integer"), maximum: fc.constant(1), default: fc.constant(0) },
      { requiredKeys: ["type"] },
    ),
    fc.record(
      { type: fc.constant("string"), maxLength: fc.constant(2), nullable: fc.boolean() },
      { requiredKeys: ["type"] },
    ),
    fc.record(
      { type: fc.constant("array"), items: tie("node"), maxItems: fc.constant(2) },
      { requiredKeys: ["type", "items"] },
    ),
    fc.record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(name, tie("node"), { maxKeys: 3 }),
        "x-kubernetes-preserve-unknown-fields": fc.constant(true),
        default: fc.constant({}),
      },
      { requiredKeys: ["type", "properties"] },
    ),
    fc.record({ type: fc.constant("object"), additionalProperties: tie("node") }),
  ) as fc.Arbitrary<JsonSchema>,
})).node;

const object: fc.Arbitrary<JsonSchema> = fc
  .dictionary(name, schema, { maxKeys: 3 })
  .map((properties) => ({ type: "object", properties }));

describe("idempotence", () => {
  test("pruning", () => {
    fc.assert(
      fc.property(object, value, (jsonSchema, given) => {
        const once = prune(given, jsonSchema, false);
        expect(prune(once, jsonSchema, false)).toBe(once);
      }),
    );
  });
  test("dropping nulls and defaulting", () => {
    fc.assert(
      fc.property(object, value, (jsonSchema, given) => {
        const once = fillDefaults(dropNulls(given, jsonSchema), jsonSchema);
        expect(deepEqual(fillDefaults(dropNulls(once, jsonSchema), jsonSchema), once)).toBe(true);
      }),
    );
  });
  test("defaulting adds nothing that pruning removes", () => {
    fc.assert(
      fc.property(object, value, (jsonSchema, given) => {
        const filled = fillDefaults(prune(given, jsonSchema, false), jsonSchema);
        expect(deepEqual(prune(filled, jsonSchema, false), filled)).toBe(true);
      }),
    );
  });
});

describe("ratcheting", () => {
  test("keeps only errors of what changed, and all of those", () => {
    fc.assert(
      fc.property(object, value, value, (jsonSchema, before, after) => {
        const validator = new ValueValidator(jsonSchema);
        const all = validator.validate(after);
        const left = validator.validate(after, { correlation: new Correlation(after, before, jsonSchema) });
        // No error appears, and an object that is wholly new or wholly changed keeps every error.
        expect(all).toEqual(expect.arrayContaining(left));
        const unchanged = new Correlation(after, before, jsonSchema).equal();
        if (unchanged) expect(left).toEqual([]);
      }),
    );
  });
  test("never accepts a changed invalid scalar", () => {
    const schemaOf = (inner: JsonSchema): JsonSchema => ({
      type: "object",
      properties: { a: inner, b: { type: "integer" } },
    });
    const bounded = schemaOf({ type: "integer", maximum: 1 });
    const validator = new ValueValidator(bounded);
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (before, after) => {
        const [old, now] = [
          { a: before, b: 1 },
          { a: after, b: 2 },
        ];
        const errors = validator.validate(now, { correlation: new Correlation(now, old, bounded) });
        expect(errors.length > 0).toBe(after > 1 && after !== before);
      }),
    );
  });
});

describe("rules", () => {
  const rules = [
    "self.n > 0 && self.s.size() < 3",
    "self.l.all(x, x < self.n)",
    "self.l.exists(x, self.m.exists(k, self.m[k] == x))",
    "has(self.s) ? self.s.startsWith('a') : self.n == 1",
    "self.n / self.l[0] == 1",
    "self.l.map(x, x * 2).sum() > self.n",
    "self.s.matches('^[a-c]+$') || self.m.size() > 1",
    "!has(oldSelf.n) || self.n >= oldSelf.n",
    "self.l == oldSelf.l",
  ];
  const node: JsonSchema = {
    type: "object",
    properties: {
      n: { type: "integer" },
      s: { type: "string", maxLength: 10 },
      l: { type: "array", items: { type: "integer" }, maxItems: 10, "x-kubernetes-list-type": "set" },
      m: { type: "object", additionalProperties: { type: "integer" }, maxProperties: 10 },
    },
    "x-kubernetes-validations": rules.map((rule) => ({ rule, messageExpression: "'n is %d'.format([self.n])" })),
  };
  const data = fc.record(
    {
      n: fc.integer({ min: -3, max: 3 }),
      s: fc.constantFrom("", "abc", "abcd", "z"),
      l: fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 4 }),
      m: fc.dictionary(fc.constantFrom("p", "q"), fc.integer({ min: 0, max: 2 })),
    },
    { requiredKeys: [] },
  );
  const compiled = compileRuleTree(node, false, { mode: "compiled" })!;
  const interpreted = compileRuleTree(node, false, { mode: "interpreted" })!;
  test("compiled and interpreted agree on errors and costs", () => {
    fc.assert(
      fc.property(data, fc.option(data, { nil: undefined }), (self, old) => {
        expect(evaluateRules(compiled, { value: self, old })).toEqual(evaluateRules(interpreted, { value: self, old }));
      }),
      { numRuns: 300 },
    );
  });
});
