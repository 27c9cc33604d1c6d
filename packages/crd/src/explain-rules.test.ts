// Explanations of rules: the tree, places in the object, costs, skipped rules; and the calls of observers.

import type { ExplainedNode } from "@celadon/cel/explain";
import { describe, expect, test } from "vitest";
import { admitCreate } from "./admit.ts";
import { explainRules, objectPath } from "./explain-rules.ts";
import type { RuleObserver } from "./rules/observe.ts";
import { widget, widgets, withProperties } from "./widgets.testing.ts";

const STRING = { type: "string", maxLength: 20 };

function find(node: ExplainedNode, text: string): ExplainedNode | undefined {
  if (node.text === text) return node;
  return node.children.map((child) => find(child, text)).find((found) => found !== undefined);
}

const port = {
  type: "object",
  properties: { name: STRING, number: { type: "integer" } },
  "x-kubernetes-validations": [{ rule: "self.number > 0", messageExpression: "'bad port ' + self.name" }],
};

const version = widgets(
  withProperties(
    {
      "max-size": { type: "integer" },
      ports: { type: "array", maxItems: 9, items: port },
      labels: {
        type: "object",
        maxProperties: 9,
        additionalProperties: { ...STRING, "x-kubernetes-validations": [{ rule: "self != 'bad'" }] },
      },
      fixed: { ...STRING, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    },
    {
      "x-kubernetes-validations": [
        { rule: "self.ports.all(p, p.number <= self.max__dash__size)" },
        { rule: "!has(self.labels) || self.labels.all(k, self.labels[k] != 'worse')" },
      ],
    },
  ),
);

const SPEC = {
  "max-size": 100,
  ports: [
    { name: "a", number: 80 },
    { name: "b", number: 443 },
    { name: "c", number: -1 },
  ],
  labels: { good: "yes", "a.b/c": "bad", x: "worse" },
  fixed: "f",
};

describe("an object that is created", () => {
  const explanation = explainRules(version, widget({ spec: SPEC }));
  const said = explanation.expressions.map(({ kind, fieldPath, schemaPath, index, value }) =>
    [kind, fieldPath, schemaPath.join("."), index, value].join(" "),
  );

  test("every expression is reported with its place", () => {
    expect(said).toEqual([
      "rule spec properties.spec 0 false",
      "rule spec properties.spec 1 false",
      "rule spec.ports[0] properties.spec.properties.ports.items 0 true",
      "rule spec.ports[1] properties.spec.properties.ports.items 0 true",
      "rule spec.ports[2] properties.spec.properties.ports.items 0 false",
      "messageExpression spec.ports[2] properties.spec.properties.ports.items 0 bad port c",
      "rule spec.labels[good] properties.spec.properties.labels.additionalProperties 0 true",
      "rule spec.labels[a.b/c] properties.spec.properties.labels.additionalProperties 0 false",
      "rule spec.labels[x] properties.spec.properties.labels.additionalProperties 0 true",
    ]);
    expect(explanation.skipped).toMatchObject([{ fieldPath: "spec.fixed", index: 0, kind: "rule" }]);
  });

  test("paths begin at the object, data paths at self", () => {
    const [sizes, labels] = explanation.expressions;
    expect(sizes?.tree.loop?.deciding).toMatchObject({
      index: 1,
      path: "spec.ports[1]",
      dataPath: { root: "self", path: ["ports", 1] },
    });
    expect(find(sizes!.tree, "p.number")).toMatchObject({ value: 443, path: "spec.ports[1].number" });
    expect(find(sizes!.tree, "self.max__dash__size")).toMatchObject({
      value: 100,
      path: "spec['max-size']",
      dataPath: { root: "self", path: ["max-size"] },
    });
    expect(
      labels?.tree.loop ?? find(labels!.tree, "self.labels.all(k, self.labels[k] != 'worse')")?.loop,
    ).toMatchObject({
      deciding: { path: "spec.labels.x", shown: '"worse"' },
    });
    const at = explanation.expressions.find(({ fieldPath }) => fieldPath === "spec.labels[a.b/c]")!;
    expect(objectPath(at.path, { root: "self", path: [] })).toEqual({
      root: "object",
      path: ["spec", "labels", "a.b/c"],
    });
  });

  test("costs add up", () => {
    const { expressions, cost, budget, remaining } = explanation;
    expect(cost).toBe(expressions.reduce((sum, expression) => sum + expression.cost, 0));
    expect(cost).toBeGreaterThan(9);
    expect(remaining).toBe(budget - cost);
    expect(expressions[0]?.shareOfLimit).toBe(expressions[0]!.cost / 1_000_000);
  });
});

test("an update: old values, and failures that are only warned of", () => {
  const old = widget({ spec: SPEC });
  const { expressions, errors, ratcheted, skipped } = explainRules(
    version,
    widget({ spec: { ...SPEC, fixed: "g" } }),
    old,
  );
  expect(skipped).toEqual([]);
  const fixed = expressions.find(({ fieldPath }) => fieldPath === "spec.fixed")!;
  expect(fixed).toMatchObject({ value: false, unchanged: false });
  expect(find(fixed.tree, "oldSelf")).toMatchObject({ value: "f", path: "oldObject.spec.fixed" });
  expect(find(fixed.tree, "self")).toMatchObject({ value: "g", path: "spec.fixed" });
  expect(expressions.find(({ fieldPath }) => fieldPath === "spec.ports[2]")).toMatchObject({
    value: false,
    unchanged: true,
  });
  expect([errors.length, ratcheted.length]).toEqual([3, 2]);
});

test("observers do not change admission", () => {
  const told: string[] = [];
  const observer: RuleObserver = {
    recorder: () => undefined,
    result: ({ fieldPath, kind }, _rule, value, error, cost) =>
      told.push(`${kind} ${fieldPath} ${value} ${error} ${cost > 0}`),
  };
  const spec = { ports: [{ name: "p", number: 0 }], "max-size": 1 };
  const watched = admitCreate(version, widget({ spec }), { observer });
  expect(watched).toEqual(admitCreate(version, widget({ spec })));
  expect(told).toEqual([
    "rule spec true undefined true",
    "rule spec true undefined true",
    "rule spec.ports[0] false undefined true",
    "messageExpression spec.ports[0] bad port p undefined true",
  ]);
});

test("errors are explained, and a version without rules has nothing to say", () => {
  const fails = widgets(
    withProperties(
      { l: { type: "array", maxItems: 3, items: STRING } },
      {
        "x-kubernetes-validations": [{ rule: "self.l[1] == ''" }],
      },
    ),
  );
  const [rule] = explainRules(fails, widget({ spec: { l: ["a"] } })).expressions;
  expect(rule?.error).toMatch(/index out of bounds/);
  expect(find(rule!.tree, "self.l")).toMatchObject({ shown: '["a"]', path: "spec.l" });
  expect(explainRules(widgets(withProperties({})), widget({ spec: {} }))).toMatchObject({ expressions: [], cost: 0 });
});
