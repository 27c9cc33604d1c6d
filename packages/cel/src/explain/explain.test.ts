// Trees of evaluated expressions: values, parts without evaluation, the deciding element, and places in the data.

import { describe, expect, test } from "vitest";
import { createEnv, DYN, MapValue, type Value } from "../index.ts";
import { bindingsLibrary, optionalLibrary, twoVariableLibrary } from "../lib/index.ts";
import { type ExplainedNode, type ExplainOptions, explained, Recording, showValue } from "./index.ts";

const env = createEnv({
  variables: { object: DYN, self: DYN },
  libraries: [bindingsLibrary(), optionalLibrary(), twoVariableLibrary],
});

function explain(expression: string, data: Record<string, unknown>, options?: ExplainOptions) {
  const program = env.program(expression);
  const recording = new Recording(program.ast.expr);
  const { value, error, cost } = program.evaluate({ object: null, self: null, ...data }, { recorder: recording });
  return explained(program, { recording, value: error ?? value, error: error?.message, cost }, options);
}

function find(node: ExplainedNode, text: string): ExplainedNode | undefined {
  if (node.text === text) return node;
  return node.children.map((child) => find(child, text)).find((found) => found !== undefined);
}

const PORTS = { ports: { http: { number: 80 }, ssh: { number: 22 }, "https-alt": { number: 8443 } } };
const MANY = { items: Array.from({ length: 500 }, (_, i) => ({ size: i })) };

// biome-ignore format: one case per line
const paths: { expr: string; data: object; node: string; path: string | undefined; value?: unknown }[] = [
  { expr: "object.items.all(i, i.size < 300)",              data: MANY,                 node: "i.size",         path: "items[300].size",          value: 300 },
  { expr: "object.items.exists(i, i.size == 70)",           data: MANY,                 node: "i.size",         path: "items[70].size",           value: 70 },
  { expr: "object.ports.all(n, object.ports[n].number > 79)", data: PORTS,              node: "object.ports[n].number", path: "ports.ssh.number", value: 22 },
  { expr: "object.ports.all(n, p, p.number < 8000)",        data: PORTS,                node: "p.number",       path: "ports['https-alt'].number", value: 8443 },
  { expr: "object.ports.all(n, p, p.number < 8000)",        data: PORTS,                node: "n",              path: undefined },
  { expr: "object.items[object.n].size == 3",               data: { ...MANY, n: 3 },    node: "object.items[object.n].size", path: "items[3].size", value: 3 },
  { expr: "cel.bind(x, object.items[1], x.size > 5)",       data: MANY,                 node: "x.size",         path: "items[1].size",            value: 1 },
  { expr: "object.?a.?b.optMap(x, x.c).orValue(0) == 1",    data: { a: { b: { c: 7 } } }, node: "x.c",          path: "a.b.c",                    value: 7 },
];

test.each(paths)("$node in $expr is $path", ({ expr, data, node, path, value }) => {
  const found = find(explain(expr, { object: data }).tree, node);
  expect(found?.path).toBe(path);
  if (value !== undefined) expect(found).toMatchObject({ value, evaluated: true });
});

describe("loops", () => {
  test("the deciding entry of a map, with its place", () => {
    const { tree } = explain("object.ports.all(n, n != 'ssh')", { object: PORTS });
    expect(tree.loop?.deciding).toMatchObject({ index: 1, element: { number: 22 }, path: "ports.ssh" });
  });

  test("of many failures the first counts", () => {
    const { tree, error } = explain("object.items.all(i, i.name != '')", { object: MANY });
    expect(error).toBe("no such key: name");
    expect(tree.loop).toMatchObject({ iterations: 500, deciding: { index: 0, path: "items[0]" } });
  });

  // biome-ignore format: one case per line
  const kept: { expr: string; data: object; kept: readonly object[] | undefined }[] = [
    { expr: "object.items.filter(i, i.size in [1, 3])",        data: MANY,  kept: [{ index: 1, path: "items[1]" }, { index: 3, path: "items[3]" }] },
    { expr: "object.items.map(i, i.size == 2, i.size)",        data: MANY,  kept: [{ index: 2, path: "items[2]" }] },
    { expr: "object.ports.filter(n, n.startsWith('s'))",       data: PORTS, kept: [{ index: 1, path: "ports.ssh" }] },
    { expr: "object.items.filter(i, [i].exists(j, j.size == 4))", data: MANY, kept: [{ index: 4, path: "items[4]" }] },
    { expr: "[5, 6].filter(i, i > 5)",                         data: {},    kept: [{ index: 1 }] },
    { expr: "object.items.filter(i, i.size < 0)",              data: MANY,  kept: [] },
    { expr: "object.items.map(i, i.size)",                     data: MANY,  kept: undefined },
    { expr: "object.items.exists(i, i.size == 1)",             data: MANY,  kept: undefined },
  ];
  test.each(kept)("kept by $expr", ({ expr, data, kept }) => {
    const { loop } = explain(expr, { object: data }).tree;
    expect(loop?.kept?.map(({ index, path }) => (path === undefined ? { index } : { index, path }))).toEqual(kept);
  });

  test("of a filter the parts are shown for the first element kept, or that failed", () => {
    const { tree } = explain("object.items.filter(i, i.size == 7)", { object: MANY });
    expect(find(tree, "i.size")).toMatchObject({ path: "items[7].size", value: 7 });
    const items = [{ size: 1 }, {}, { size: 2 }];
    const failed = explain("object.items.filter(i, i.size == 1)", { object: { items } });
    expect(failed.tree.loop?.deciding).toMatchObject({ index: 1, path: "items[1]" });
  });

  test("parts that no iteration reached are not evaluated", () => {
    const { tree } = explain("object.items.all(i, i > 1)", { object: { items: [] } });
    expect(tree).toMatchObject({ value: true, loop: { iterations: 0 } });
    expect(find(tree, "i > 1")).toMatchObject({ evaluated: false, children: [] });
  });
});

test("fields and paths are named as the host has it", () => {
  const options: ExplainOptions = {
    fieldName: ({ field }) => field.replaceAll("__dash__", "-"),
    pathText: ({ path }) => ["spec", ...path].join("."),
  };
  const { tree } = explain("self.a__dash__b == 1", { self: { a__dash__b: 1 } }, options);
  expect(find(tree, "self.a__dash__b")).toMatchObject({
    path: "spec.a-b",
    dataPath: { root: "self", path: ["a-b"] },
  });
});

class Greedy extends MapValue {
  override readonly size = 1;
  override keys(): Iterable<Value> {
    throw new Error("looked at");
  }
  override find(): Value {
    throw new Error("looked at");
  }
  toJSON(): unknown {
    return { seen: true };
  }
}

const ring: unknown[] = [];
ring.push(ring);

// biome-ignore format: one case per line
const values: { value: unknown; want: string | RegExp }[] = [
  { value: "a\"b",                          want: `"a\\"b"` },
  { value: null,                            want: "null" },
  { value: 2n ** 60n,                       want: "1152921504606846976" },
  { value: [1, "x", { a: true }],           want: `[1, "x", {"a": true}]` },
  { value: {},                              want: "{}" },
  { value: new Greedy(),                    want: `{"seen": true}` },
  { value: "x".repeat(1e6),                 want: /^"x{238}…$/ },
  { value: Array.from({ length: 1e5 }, () => 1), want: /^\[1, 1, [1, ]{232}…$/ },
  { value: ring,                            want: /^\[+…\]+$/ },
  { value: { get a() { throw new Error(); } }, want: "(a value that cannot be shown)" },
];

test.each(values)("shown as $want", ({ value, want }) => {
  const text = showValue(value as Value);
  if (typeof want === "string") expect(text).toBe(want);
  else expect(text).toMatch(want);
});
