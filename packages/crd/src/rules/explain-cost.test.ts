// The field that makes a rule cost too much, and the limit that it would need: the suggested limit is accepted, one more is not.

import type { JsonObject } from "@celadon/base";
import { valueAt } from "@celadon/base";
import { type FieldPath, fieldPath } from "@celadon/kube/errors";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../schema/json-schema.ts";
import { definitionProblems, widgetDefinition } from "../widgets.testing.ts";
import { explainCosts } from "./explain-cost.ts";

const rules = (rule: string, more: JsonObject = {}): JsonObject => ({
  "x-kubernetes-validations": [{ rule, ...more }],
});
const root = (properties: JsonObject): JsonObject => ({
  type: "object",
  properties: { spec: { type: "object", properties } },
});

/** Whether a schema is accepted. */
const fits = (schema: JsonObject): boolean => definitionProblems(widgetDefinition(schema)).length === 0;

/** The schema with a limit at the path of an explanation. */
function limited(schema: JsonObject, { steps }: FieldPath, keyword: string, limit: number): JsonObject {
  const copy = structuredClone(schema);
  const node = valueAt(copy, steps.slice(steps.indexOf("openAPIV3Schema") + 1));
  (node as JsonObject)[keyword] = limit;
  return copy;
}

const CASES: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  [
    "a string in a list without a limit",
    root({ l: { type: "array", items: { type: "string", maxLength: 100, ...rules("self.contains('x')") } } }),
    ["maxItems"],
  ],
  ["a string without a limit", root({ s: { type: "string", ...rules("self.contains(self)") } }), ["maxLength"]],
  [
    "a list in itself",
    root({ l: { type: "array", items: { type: "integer" }, ...rules("self.all(x, self.all(y, x == y))") } }),
    ["maxItems"],
  ],
  [
    "a map",
    root({
      m: {
        type: "object",
        additionalProperties: { type: "string", maxLength: 10 },
        ...rules("self.all(k, self.exists(l, self[k] == self[l]))"),
      },
    }),
    ["maxProperties"],
  ],
  [
    "both a list and its strings",
    root({
      l: {
        type: "array",
        items: { type: "object", properties: { s: { type: "string" } }, ...rules("self.s.contains('abc')") },
      },
    }),
    ["maxItems", "maxLength"],
  ],
];

describe.each(CASES)("%s", (_, schema, keywords) => {
  const [found] = explainCosts(schema as JsonSchema);
  test("is reported", () => {
    expect(found!.total).toBeGreaterThan(BigInt(found!.limit));
    expect(found!.unbounded.map(({ keyword }) => keyword).sort()).toEqual([...keywords].sort());
  });
  test("the limits fit, and no larger ones do", () => {
    for (const { path, keyword, largest } of found!.unbounded) {
      if (largest === undefined) continue;
      expect(fits(limited(schema, path, keyword, largest)), `${path} ${keyword} ${largest}`).toBe(true);
      expect(fits(limited(schema, path, keyword, largest + 1)), `${path} ${keyword} ${largest + 1}`).toBe(false);
    }
    const suggested = found!.suggested.reduce(
      (made, { path, keyword, limit }) => limited(made, path, keyword, limit),
      schema,
    );
    expect(found!.suggested.length, "something is suggested").toBeGreaterThan(0);
    expect(fits(suggested), JSON.stringify(found!.suggested)).toBe(true);
    if (found!.together === undefined) return;
    const all = (n: number): JsonObject =>
      found!.unbounded.reduce((made, { path, keyword }) => limited(made, path, keyword, n), schema);
    expect(fits(all(found!.together))).toBe(true);
    expect(fits(all(found!.together + 1))).toBe(false);
  });
});

test("messages are explained too, also where no limit would help", () => {
  const schema = root({ a: { type: "integer", ...rules("self > 0", { messageExpression: "'got ' + string(self)" }) } });
  expect(explainCosts(schema as JsonSchema)).toMatchObject([
    {
      path: fieldPath("spec", "validation", "openAPIV3Schema", "properties")
        .key("spec")
        .child("properties")
        .key("a")
        .child("x-kubernetes-validations")
        .index(0)
        .child("messageExpression"),
      cardinality: 1n,
      unbounded: [],
      together: undefined,
    },
  ]);
});

describe("a schema whose rules are too much together", () => {
  const RULE = "self.all(x, self.all(y, x == y))";
  const list = (maxItems: number | undefined, rule = RULE): JsonObject => ({
    type: "array",
    items: { type: "string", maxLength: 10 },
    ...(maxItems !== undefined && { maxItems }),
    ...rules(rule),
  });
  const lists = (count: number, maxItems: number): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`l${i}`, list(maxItems)]));
  const ONE_BY_ONE = "self.all(x, x != '')";

  test("with limits that are large", () => {
    const schema = root({
      outer: { type: "array", maxItems: 10, items: { type: "object", properties: lists(15, 330) } },
    });
    const explained = explainCosts(schema as JsonSchema);
    expect(explained).toHaveLength(1);
    const [found] = explained;
    expect(found).toMatchObject({
      path: fieldPath("spec", "validation", "openAPIV3Schema"),
      expression: "",
      limit: 100_000_000,
      unbounded: [],
    });
    expect(found!.contributors).toHaveLength(10);
    for (const contributor of found!.contributors) {
      expect(contributor).toMatchObject({ expression: RULE, cardinality: 10n, total: contributor.cost * 10n });
      expect(contributor.total).toBeLessThanOrEqual(10_000_000n);
    }
    expect(found!.total).toBe(found!.contributors[0]!.total * 15n);
    const [outer, ...inner] = found!.bounded;
    expect(outer).toMatchObject({ keyword: "maxItems", limit: 10 });
    expect(outer!.path.toString()).toMatch(/properties\[outer\]$/);
    expect(fits(limited(schema, outer!.path, "maxItems", outer!.largest!))).toBe(true);
    expect(fits(limited(schema, outer!.path, "maxItems", outer!.largest! + 1))).toBe(false);
    // No other field is enough alone.
    expect(inner.length).toBeGreaterThanOrEqual(15);
    expect(inner.every(({ largest }) => largest === undefined)).toBe(true);
  });

  test("with limits of which one is enough", () => {
    const schema = root(lists(11, 1050));
    const [found] = explainCosts(schema as JsonSchema);
    const items = found!.bounded.filter(({ keyword }) => keyword === "maxItems");
    expect(items).toHaveLength(11);
    for (const { path, keyword, limit, largest } of items.slice(0, 2)) {
      expect(largest).toBeLessThan(limit);
      expect(fits(limited(schema, path, keyword, largest!))).toBe(true);
      expect(fits(limited(schema, path, keyword, largest! + 1))).toBe(false);
    }
  });

  test("with fields without a limit", () => {
    const open = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`o${i}`, list(undefined, ONE_BY_ONE)]));
    const schema = root(open);
    const [found] = explainCosts(schema as JsonSchema);
    expect(found!.expression).toBe("");
    expect(found!.unbounded).toHaveLength(40);
    const all = (n: number): JsonObject =>
      found!.unbounded.reduce((made, { path, keyword }) => limited(made, path, keyword, n), schema);
    expect(fits(all(found!.together!))).toBe(true);
    expect(fits(all(found!.together! + 1))).toBe(false);
  });

  test("an expression over its own limit is reported first", () => {
    const schema = root({ ...lists(15, 1050), open: list(undefined) });
    expect(explainCosts(schema as JsonSchema).every(({ expression }) => expression !== "")).toBe(true);
  });
});

test("what fits is not explained", () => {
  expect(explainCosts(root({ a: { type: "integer", ...rules("self > 0") } }) as JsonSchema)).toEqual([]);
});
