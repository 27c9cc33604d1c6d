// Values of schema-typed data are views of it: nothing is copied, and nothing is converted that no one looks at.

import { isError, type MapValue, type Value } from "@celadon/cel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kubeEnv } from "../environment.ts";
import { adapterFor } from "./adapt.ts";
import { type DeclType, declareType } from "./decl-type.ts";
import { SchemaList } from "./list-values.ts";
import { SchemaObject } from "./object-values.ts";
import { createSchemaProvider } from "./provider.ts";
import type { Schema } from "./schema.ts";

const item: Schema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string" },
    size: { type: "integer", nullable: true },
    since: { type: "string", format: "date-time" },
    limit: { "x-kubernetes-int-or-string": true },
    ratio: { type: "number" },
    tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    labels: { type: "object", additionalProperties: { type: "string", nullable: true } },
  },
};
const schema: Schema = {
  type: "object",
  properties: {
    ...item.properties,
    items: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], items: item },
    named: { type: "object", additionalProperties: item },
    on: { type: "boolean" },
  },
};

const root = declareType(schema, "selfType") as DeclType;
const env = kubeEnv({
  variables: { self: root.type, oldSelf: root.type },
  provider: createSchemaProvider({ selfType: root }),
});
const modes = ["interpreted", "compiled"] as const;

const entry = {
  name: "a",
  size: 1,
  since: "2020-01-02T03:04:05Z",
  limit: "5%",
  ratio: 1,
  tags: ["x", "y"],
  labels: { k: "v", n: null },
};
const data = { ...entry, on: true, items: [entry, { name: "b" }], named: { p: entry, q: { name: "q", size: null } } };

describe.each(modes)("%s", (mode) => {
  const evaluate = (expr: string, self: unknown): Value => {
    const { value, error } = env.program(expr, { mode }).evaluate({ self, oldSelf: self });
    return error ?? value;
  };

  test("objects and lists are the data itself, seen as values", () => {
    expect(evaluate("self", data)).toBeInstanceOf(SchemaObject);
    expect((evaluate("self", data) as MapValue).data).toBe(data);
    expect((evaluate("self.items", data) as SchemaList).data).toBe(data.items);
    expect((evaluate("self.named.p", data) as MapValue).data).toBe(entry);
    expect((evaluate("self.items.filter(x, x.name == 'b')", data) as MapValue[])[0]?.data).toBe(data.items[1]);
  });

  test("an existing view is reused", () => {
    const view = adapterFor(schema).toValue(data);
    expect(evaluate("self.items[0].since.getFullYear()", view)).toBe(2020);
    expect(evaluate("self == oldSelf", view)).toBe(true);
  });

  test("fields that are not used are not read", () => {
    const guarded = Object.defineProperties(
      { name: "a", size: 2, items: [] },
      {
        since: { enumerable: true, get: () => expect.fail("read since") },
        named: { enumerable: true, get: () => expect.fail("read named") },
      },
    );
    expect(
      evaluate("self.name == 'a' && self.size > 1 && self.items.all(x, x.name != '') && !has(self.labels)", guarded),
    ).toBe(true);
  });

  test("data of the wrong type is an error only when it is read", () => {
    const wrong = { ...data, since: 5, limit: 1.5, items: [entry, "no object"] };
    expect(
      evaluate("self.name == 'a' && self.items[0].name == 'a' && self.items.exists(x, x.name == 'a')", wrong),
    ).toBe(true);
    expect(isError(evaluate("self.since == self.since", wrong))).toBe(true);
    expect(isError(evaluate("self.items[1].name == 'a'", wrong))).toBe(true);
  });
});

// Every expression on data that is broken at one place gives the same, converted step by step or read through.

// biome-ignore format: as many as fit on a line
const expressions = [
  "self.name", "self.size", "self.since", "self.limit", "self.ratio", "self.tags", "self.labels", "self.on", "self.items", "self.named",
  "has(self.name)", "has(self.size)", "has(self.since)", "has(self.limit)", "has(self.ratio)", "has(self.tags)", "has(self.labels.k)",
  "has(self.items)", "self.size + 1", "self.name + 'x'", "self.ratio * 2.0", "self.on || self.size > 0", "self.on && self.name == 'a'",
  "self.since > timestamp('2019-01-01T00:00:00Z')", "self.limit == '5%'", "type(self.limit) == string", "self.labels.k", "self.labels['k'] == 'v'",
  "self.labels[self.name]", "'k' in self.labels", "self.name in self.labels", "self.labels.all(k, k != '')", "self.labels.all(k, v, v != 'z')",
  "self.tags == ['y', 'x']", "'x' in self.tags", "self.name in self.tags", "self.tags + ['z']", "size(self.tags)", "size(self.labels)", "self.tags[1]",
  "self.tags[self.size]", "self.items.all(x, x.name != '')", "self.items.exists(x, x.size == 1)", "self.items.map(x, x.name)", "self.items.map(x, x)",
  "self.items.filter(x, has(x.size)).all(y, y.size > 0)", "self.items.exists_one(x, x.name == 'b')", "self.items.all(i, x, x.name != '' || i > 5)",
  "self.items[1].name", "self.items[self.size].name", "self.items == oldSelf.items", "self.items + oldSelf.items", "self.items[0] in self.items",
  "self.named.p.name", "self.named['q'].name", "self.named.all(k, self.named[k].name != '')", "self.named.all(k, v, has(v.size) || v.name == 'q')",
  "self.named.transformList(k, v, v.name)", "self.named.p == self.items[0]", "self.?size.orValue(3)", "self.?labels.?k.orValue('d')",
  "self.items[?1].?size.hasValue()", "self.?named.p.?since", "self.?items[0].name", "self == oldSelf", "self.named == oldSelf.named",
  "(self.on ? self.items : oldSelf.items)[0].name", "(self.on ? self.tags : [self.name]).all(t, t != '')", "[self.named.p, self.items[1]].all(x, true)",
  "self.items.map(x, x).all(y, y.tags.all(t, t != 'q'))", "self.items.all(x, self.items.exists_one(y, y.name == x.name))", "dyn(self.named.p).name",
  "self.tags.exists(t, t == self.name) || self.items.exists(x, x.tags.exists(t, t == 'x'))",
].filter((expr) => env.compile(expr).ok);

const programs = expressions.map((expr) => modes.map((mode) => env.program(expr, { mode })));

test("the expressions are accepted", () => expect(expressions.length).toBeGreaterThan(70));

// biome-ignore format: one line each
const junk = fc.oneof(fc.constantFrom<unknown>(null, undefined, true, 0, 1, 1.5, -1, "", "k", "a", [], {}, [null], ["x", 1], { k: null }, { name: 1 }, 9007199254740993n), fc.jsonValue());

/** Paths to everything in the data. */
function places(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, part]) => places(part, [...path, key]));
  return [path, ...below];
}

function replace(value: unknown, [first, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value)) return value.map((part, i) => (i === Number(first) ? replace(part, rest, by) : part));
  const record = value as Record<string, unknown>;
  return { ...record, [first]: replace(record[first], rest, by) };
}

const broken = fc
  .tuple(fc.constantFrom(...places(data)), junk, fc.constantFrom(...places(data)), junk)
  .map(([a, x, b, y]) => {
    const once = replace(data, a, x);
    return places(once).some((path) => String(path) === String(b)) && b.length > 0
      ? [once, replace(once, b, y)]
      : [once, once];
  });

test("compiled and interpreted agree on broken data", () => {
  fc.assert(
    fc.property(broken, fc.nat(programs.length - 1), ([self, oldSelf], first) => {
      for (let i = 0; i < 12; i++) {
        const [interpreted, compiled] = (programs[(first + i) % programs.length] as (typeof programs)[0]).map(
          (program) => program.evaluate({ self, oldSelf }),
        );
        expect({ expr: expressions[(first + i) % programs.length], ...shown(compiled) }).toEqual({
          expr: expressions[(first + i) % programs.length],
          ...shown(interpreted),
        });
      }
    }),
    { numRuns: 600 },
  );
});

function shown(outcome: ReturnType<(typeof programs)[0][0]["evaluate"]> | undefined): object {
  return {
    cost: outcome?.cost,
    error: outcome?.error?.message,
    node: outcome?.error?.node,
    value: plain(outcome?.value),
  };
}

/** Views by their data. */
function plain(value: Value): unknown {
  if (value instanceof SchemaObject || value instanceof SchemaList) return { view: value.data };
  return Array.isArray(value) ? value.map(plain) : value;
}
