// Hostile input: very many operations, values too deep to walk, keys with a meaning in JavaScript, long lists whose items share keys. Each
// is answered in time that grows with its size, with an answer or the server's error, and nothing is changed half-way.

import { type KubeObject, nameOf } from "@celadon/kube";
import { describe, expect, test } from "vitest";
import { createFieldManager } from "./apply/field-manager.ts";
import { mergeConfiguration } from "./apply-configuration.ts";
import { changesBetween } from "./changes.ts";
import { applyJsonPatch } from "./patch/json-patch.ts";
import { applyMergePatch } from "./patch/merge-patch.ts";
import { applyStrategicPatch } from "./patch/strategic.ts";
import { builtinMergeType } from "./schema/builtin-types.ts";
import { DEDUCED } from "./schema/merge-type.ts";
import { TOO_DEEP } from "./value/depth.ts";

const POD_KIND = { group: "", version: "v1", kind: "Pod" };
const POD = builtinMergeType(POD_KIND)!;
const pod = (spec: object, metadata: object = {}): KubeObject =>
  ({ apiVersion: "v1", kind: "Pod", metadata: { name: "p", ...metadata }, spec }) as KubeObject;

function nested(levels: number, leaf: unknown = {}): Record<string, unknown> {
  let value = leaf;
  for (let i = 0; i < levels; i++) value = { a: value };
  return value as Record<string, unknown>;
}

const many = (count: number, prefix: string, names = count): { name: string; image: string }[] =>
  Array.from({ length: count }, (_, i) => ({ name: `${prefix}${i % names}`, image: "x" }));

describe("patches of 10,000 operations", () => {
  const list = Array.from({ length: 10_000 }, (_, i) => i);
  const each = (operation: (i: number) => object): Record<string, unknown>[] =>
    list.map((i) => operation(i) as Record<string, unknown>);

  // biome-ignore format: one patch per line
  const cases: [string, unknown, Record<string, unknown>[], unknown][] = [
    ["at the front of a list",     { l: [] },             each((i) => ({ op: "add", path: "/l/0", value: i })), { l: list.toReversed() }],
    ["of one deep place",          nested(300),           each((i) => ({ op: "replace", path: `${"/a".repeat(299)}/a`, value: i })), nested(300, 9_999)],
    ["a long list moved about",    { l: list, m: {} },    each((i) => ({ op: "move", from: i % 2 ? "/m/l" : "/l", path: i % 2 ? "/l" : "/m/l" })), { l: list, m: {} }],
    ["an item copied and changed", { l: [{ n: 0 }] },     each((i) => (i % 2 ? { op: "copy", from: "/l/0", path: "/k" } : { op: "replace", path: "/l/0/n", value: i })), { l: [{ n: 9_998 }], k: { n: 9_998 } }],
  ];
  test.each(cases)("%s", (_, document, patch, want) => {
    const before = JSON.stringify(document);
    expect(applyJsonPatch(document, patch)).toEqual(want);
    expect(JSON.stringify(document)).toBe(before);
  });

  test("that fail at the end, or copy too much, leave the document as it is", () => {
    const document = { l: list };
    const failing = [...each((i) => ({ op: "add", path: `/k${i}`, value: i })), { op: "remove", path: "/none" }];
    expect(applyJsonPatch(document, failing)).toMatchObject({
      message: "error in remove for path: '/none': Unable to remove nonexistent key: none: missing value",
    });
    expect(
      applyJsonPatch(
        document,
        each((i) => ({ op: "copy", from: "/l", path: `/k${i}` })),
      ),
    ).toMatchObject({
      message:
        "Unable to complete the copy, the accumulated size increase of copy is 3177915, exceeding the limit 3145728",
    });
    expect(Object.keys(document)).toEqual(["l"]);
  });
});

describe("values too deep to walk", () => {
  const deep = nested(50_000);
  const manager = createFieldManager({
    kind: { group: "x.io", version: "v1", kind: "Thing" },
    type: () => DEDUCED,
    now: () => "2026-01-01T00:00:00Z",
  });
  const thing = { apiVersion: "x.io/v1", kind: "Thing", metadata: { name: "t" }, spec: deep } as unknown as KubeObject;
  const tooDeep = { message: TOO_DEEP };

  test("every merge and patch returns the server's error", () => {
    expect(applyJsonPatch({ x: deep }, [{ op: "test", path: "/x", value: nested(50_000) }])).toMatchObject(tooDeep);
    expect(applyJsonPatch({ x: deep }, [{ op: "copy", from: "/x", path: "/y" }])).toMatchObject(tooDeep);
    expect(applyMergePatch({ x: deep }, { x: nested(50_000) })).toMatchObject(tooDeep);
    expect(applyStrategicPatch(pod({}), { spec: deep }, POD_KIND)).toMatchObject({ code: 500, ...tooDeep });
    expect(mergeConfiguration(DEDUCED, thing, { spec: nested(50_000) })).toMatchObject(tooDeep);
    expect(manager.apply(undefined, thing, "m", false)).toMatchObject({ code: 500, ...tooDeep });
    expect(manager.tryUpdate(undefined, thing, "m")).toMatchObject(tooDeep);
  });

  test("a write goes on without managed fields, and a comparison shows the whole", () => {
    expect(nameOf(manager.update(undefined, thing, "m"))).toBe("t");
    expect(changesBetween(deep, nested(50_000, 1))).toMatchObject([{ op: "replace", path: [] }]);
  });

  test("copies that double the depth end where the server stops reading", () => {
    const doubling = (times: number): Record<string, unknown>[] => {
      const patch: Record<string, unknown>[] = [];
      for (let i = 0, levels = 1; i < times; i++, levels *= 2) {
        patch.push({ op: "copy", from: "/x", path: `/x${"/y".repeat(levels)}` });
      }
      return patch;
    };
    expect(applyJsonPatch({ x: {} }, doubling(8))).toHaveProperty("x.y.y.y");
    expect(applyJsonPatch({ x: {} }, doubling(14))).toMatchObject(tooDeep);
  });
});

test("keys that mean something to JavaScript are ordinary keys", () => {
  const key = "__proto__";
  const patched = applyJsonPatch(JSON.parse('{"a":{}}'), [
    { op: "add", path: `/a/${key}`, value: { polluted: 1 } },
    { op: "add", path: `/a/${key}/more`, value: 2 },
    { op: "copy", from: `/a/${key}`, path: "/constructor" },
  ]);
  expect(JSON.stringify(patched)).toBe(
    '{"a":{"__proto__":{"polluted":1,"more":2}},"constructor":{"polluted":1,"more":2}}',
  );
  expect(applyJsonPatch({}, [{ op: "add", path: `/${key}/x`, value: 1 }])).toMatchObject({
    message: `add operation does not apply: doc is missing path: "/${key}/x": missing value`,
  });
  const labels = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, unknown>;
  const want = '{"__proto__":"x","constructor":"y"}';
  const metadata = { labels };
  const merged = [
    applyMergePatch({ metadata: {} }, { metadata }),
    applyStrategicPatch(pod({}), { metadata }, POD_KIND),
    mergeConfiguration(POD, pod({}), { apiVersion: "v1", kind: "Pod", metadata }),
  ] as { metadata: { labels: object } }[];
  expect(merged.map((item) => JSON.stringify(item.metadata.labels))).toEqual([want, want, want]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

describe("long lists", () => {
  const [a, b] = [many(5_000, "a"), many(5_000, "b")];
  const namesOf = (object: unknown): string[] =>
    (object as { spec: { containers: { name: string }[] } }).spec.containers.map(({ name }) => name);
  const names = (list: readonly { name: string }[]): string[] => list.map(({ name }) => name);

  test("strategic: united, ordered, deleted", () => {
    const order = [...b, ...a].map(({ name }) => ({ name }));
    const strategic = (spec: object): unknown => applyStrategicPatch(pod({ containers: a }), { spec }, POD_KIND);
    expect(namesOf(strategic({ containers: b, "$setElementOrder/containers": order }))).toEqual(names([...b, ...a]));
    expect(namesOf(strategic({ containers: a.map(({ name }) => ({ name, $patch: "delete" })) }))).toEqual([]);
    const finalizers = { metadata: { finalizers: names(b), "$deleteFromPrimitiveList/finalizers": names(a) } };
    expect(applyStrategicPatch(pod({}, { finalizers: names(a) }), finalizers, POD_KIND)).toMatchObject({
      metadata: { finalizers: names(b) },
    });
  });

  test("with one key many times", () => {
    const twice = many(5_000, "a", 10);
    const config = (containers: object): Record<string, unknown> => ({
      apiVersion: "v1",
      kind: "Pod",
      spec: { containers },
    });
    const merged = mergeConfiguration(POD, pod({ containers: twice }), config([{ name: "a3", image: "y" }]));
    expect(namesOf(merged)).toHaveLength(4_501);
    expect(mergeConfiguration(POD, pod({ containers: a }), config(twice))).toMatchObject({
      message: expect.stringMatching(
        /^failed to convert patch object to typed object: errors:\n {2}\.spec\.containers: duplicate entries for key \[name="a0"\]/,
      ),
    });
    expect(namesOf(applyStrategicPatch(pod({ containers: twice }), { spec: { containers: twice } }, POD_KIND))).toEqual(
      names(twice).toSorted(),
    );
  });
});
