// The user stories of the proposal for validation rules.

import type { JsonObject } from "@celadon/base";
import { describe, expect, test } from "vitest";
import { texts, widget, widgets, withProperties } from "./widgets.testing.ts";

const INTEGER = { type: "integer" };
const TEXT = { type: "string", maxLength: 63 };
const texts63 = { type: "array", maxItems: 10, items: TEXT };

interface Story {
  readonly title: string;
  readonly properties?: JsonObject;
  readonly rules: readonly JsonObject[];
  readonly fine: readonly JsonObject[];
  readonly refused: readonly (readonly [JsonObject, string])[];
}

const STORIES: readonly Story[] = [
  {
    title: "cross-field checks",
    properties: { minReplicas: INTEGER, replicas: INTEGER, maxReplicas: INTEGER },
    rules: [
      {
        rule: "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas",
        message: "replicas must be between minReplicas and maxReplicas",
      },
    ],
    fine: [{ minReplicas: 1, replicas: 2, maxReplicas: 3 }],
    refused: [
      [
        { minReplicas: 3, replicas: 2, maxReplicas: 3 },
        "spec: Invalid value: replicas must be between minReplicas and maxReplicas",
      ],
    ],
  },
  {
    title: "nil or not nil by discriminator",
    properties: {
      type: { type: "string", enum: ["A", "B"] },
      a: { type: "object", properties: { x: INTEGER } },
      b: { type: "object", properties: { y: INTEGER } },
    },
    rules: [
      { rule: "(self.type == 'A') == has(self.a)", message: "a goes with type A" },
      { rule: "(self.type == 'B') == has(self.b)", message: "b goes with type B" },
    ],
    fine: [
      { type: "A", a: {} },
      { type: "B", b: { y: 1 } },
    ],
    refused: [
      [{ type: "A" }, "spec: Invalid value: a goes with type A"],
      [{ type: "B", a: {}, b: {} }, "spec: Invalid value: a goes with type A"],
    ],
  },
  {
    title: "no entry of one list in another",
    properties: { allowed: texts63, denied: texts63 },
    rules: [{ rule: "self.allowed.all(x, !(x in self.denied))", message: "allowed and denied overlap" }],
    fine: [{ allowed: ["a"], denied: ["b"] }],
    refused: [[{ allowed: ["a", "b"], denied: ["b"] }, "spec: Invalid value: allowed and denied overlap"]],
  },
  {
    title: "exactly one of two lists has entries",
    properties: { x: texts63, y: texts63 },
    rules: [
      {
        rule: "(has(self.x) && self.x.size() > 0) != (has(self.y) && self.y.size() > 0)",
        message: "exactly one of x and y",
      },
    ],
    fine: [{ x: ["a"] }, { x: [], y: ["a"] }],
    refused: [
      [{}, "spec: Invalid value: exactly one of x and y"],
      [{ x: ["a"], y: ["b"] }, "spec: Invalid value: exactly one of x and y"],
    ],
  },
  {
    title: "a label selector as in workloads",
    properties: {
      selector: {
        type: "object",
        properties: {
          matchLabels: { type: "object", maxProperties: 10, additionalProperties: TEXT },
          matchExpressions: {
            type: "array",
            maxItems: 10,
            items: {
              type: "object",
              required: ["key", "operator"],
              properties: { key: TEXT, operator: TEXT, values: texts63 },
            },
          },
        },
        "x-kubernetes-validations": [
          {
            rule: "!has(self.matchLabels) || self.matchLabels.all(k, k.matches('^[a-z0-9./-]+$'))",
            message: "label keys are lower case",
          },
          {
            rule: "!has(self.matchExpressions) || self.matchExpressions.all(e, e.operator in ['In', 'NotIn'] ? has(e.values) && e.values.size() > 0 : e.operator in ['Exists', 'DoesNotExist'] && !has(e.values))",
            message: "values go with In and NotIn",
          },
        ],
      },
    },
    rules: [],
    fine: [
      {
        selector: {
          matchLabels: { app: "x" },
          matchExpressions: [
            { key: "k", operator: "In", values: ["v"] },
            { key: "k", operator: "Exists" },
          ],
        },
      },
    ],
    refused: [
      [
        { selector: { matchExpressions: [{ key: "k", operator: "In" }] } },
        "spec.selector: Invalid value: values go with In and NotIn",
      ],
      [{ selector: { matchLabels: { APP: "x" } } }, "spec.selector: Invalid value: label keys are lower case"],
    ],
  },
  {
    title: "quantities",
    properties: { request: TEXT, limit: TEXT },
    rules: [
      {
        rule: "isQuantity(self.request) && isQuantity(self.limit) && !quantity(self.request).isGreaterThan(quantity(self.limit))",
        message: "request must not exceed limit",
      },
    ],
    fine: [
      { request: "500m", limit: "1" },
      { request: "1Gi", limit: "1073741824" },
    ],
    refused: [
      [{ request: "2", limit: "1500m" }, "spec: Invalid value: request must not exceed limit"],
      [{ request: "x", limit: "1" }, "spec: Invalid value: request must not exceed limit"],
    ],
  },
  {
    title: "references between lists",
    properties: {
      volumes: { type: "array", maxItems: 10, items: { type: "object", properties: { name: TEXT } } },
      mounts: { type: "array", maxItems: 10, items: { type: "object", properties: { volume: TEXT } } },
    },
    rules: [
      {
        rule: "self.mounts.all(m, self.volumes.exists_one(v, v.name == m.volume))",
        messageExpression:
          "'no volume for mounts %s'.format([self.mounts.filter(m, !self.volumes.exists(v, v.name == m.volume)).map(m, m.volume)])",
      },
    ],
    fine: [{ volumes: [{ name: "a" }], mounts: [{ volume: "a" }] }],
    refused: [
      [{ volumes: [{ name: "a" }], mounts: [{ volume: "b" }] }, 'spec: Invalid value: no volume for mounts ["b"]'],
    ],
  },
  {
    title: "formatted messages",
    properties: { replicas: INTEGER, max: INTEGER },
    rules: [
      {
        rule: "self.replicas <= self.max",
        messageExpression: "'%d replicas are more than the %d that are allowed'.format([self.replicas, self.max])",
        fieldPath: ".replicas",
      },
    ],
    fine: [{ replicas: 1, max: 1 }],
    refused: [
      [{ replicas: 3, max: 1 }, "spec.replicas: Invalid value: 3 replicas are more than the 1 that are allowed"],
    ],
  },
];

describe.each(STORIES)("$title", ({ properties = {}, rules, fine, refused }) => {
  const version = widgets(withProperties(properties, rules.length === 0 ? {} : { "x-kubernetes-validations": rules }));
  const create = (spec: JsonObject): string[] => texts(version.validateCreate(widget({ spec })).errors);
  test.each(fine)("%j", (spec) => expect(create(spec)).toEqual([]));
  test.each(refused)("%j is refused", (spec, error) => expect(create(spec)).toEqual([error]));
});

test("an object that may have but one name", () => {
  const version = widgets({
    type: "object",
    "x-kubernetes-validations": [{ rule: "self.metadata.name == 'singleton'", message: "there is only one" }],
  });
  expect(texts(version.validateCreate(widget({}, "singleton")).errors)).toEqual([]);
  expect(texts(version.validateCreate(widget({}, "other")).errors)).toEqual([
    "<nil>: Invalid value: there is only one",
  ]);
});

test("a field that is set once", () => {
  const version = widgets(
    withProperties(
      { zone: TEXT },
      {
        "x-kubernetes-validations": [
          {
            rule: "!has(oldSelf.zone) || has(self.zone) && self.zone == oldSelf.zone",
            message: "zone is immutable once set",
            fieldPath: ".zone",
          },
        ],
      },
    ),
  );
  const update = (old: JsonObject, spec: JsonObject): string[] =>
    texts(version.validateUpdate(widget({ spec }), widget({ spec: old })).errors);
  expect(update({}, { zone: "a" })).toEqual([]);
  expect(update({ zone: "a" }, { zone: "a" })).toEqual([]);
  expect(update({ zone: "a" }, { zone: "b" })).toEqual(["spec.zone: Invalid value: zone is immutable once set"]);
  expect(update({ zone: "a" }, {})).toEqual(["spec.zone: Invalid value: zone is immutable once set"]);
});
