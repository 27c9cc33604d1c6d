import type { KubeObject } from "@celadon/kube";
import { expect, test } from "vitest";
import { applyStrategicPatch } from "./strategic.ts";

const POD = { group: "", version: "v1", kind: "Pod" };
const DEPLOYMENT = { group: "apps", version: "v1", kind: "Deployment" };
const containers = (...names: string[]): object => ({
  spec: { containers: names.map((name) => ({ name, image: "x" })) },
});
const named = (...names: string[]): object[] => names.map((name) => ({ name }));

// biome-ignore format: one rule per line
const cases: [string, object, object, object][] = [
  ["maps are merged, null deletes",      { metadata: { labels: { a: "1", b: "2" } } }, { metadata: { labels: { a: null, c: "3" } } }, { metadata: { labels: { b: "2", c: "3" } } }],
  ["lists are merged by key",            containers("a", "b"), { spec: { containers: [{ name: "b", image: "y" }] } }, { spec: { containers: [{ name: "a", image: "x" }, { name: "b", image: "y" }] } }],
  ["new items come first, in the patch's order", containers("a"), { spec: { containers: [{ name: "n" }] } }, { spec: { containers: [{ name: "n" }, { name: "a", image: "x" }] } }],
  ["other lists are replaced",           { spec: { tolerations: [{ key: "a" }] } }, { spec: { tolerations: [{ key: "b" }] } }, { spec: { tolerations: [{ key: "b" }] } }],
  ["$patch: delete removes an item",     containers("a", "b"), { spec: { containers: [{ name: "a", $patch: "delete" }] } }, containers("b")],
  ["$patch: replace has the list replaced", containers("a", "b"), { spec: { containers: [{ name: "n" }, { $patch: "replace" }] } }, { spec: { containers: [{ name: "n" }] } }],
  ["$patch: replace in a map",           { metadata: { labels: { a: "1" } } }, { metadata: { labels: { b: "2", $patch: "replace" } } }, { metadata: { labels: { b: "2" } } }],
  ["$patch: delete in a map",            { metadata: { labels: { a: "1" } } }, { metadata: { labels: { $patch: "delete" } } }, { metadata: { labels: {} } }],
  ["texts are united",                   { metadata: { finalizers: ["a/b", "c/d"] } }, { metadata: { finalizers: ["e/f", "c/d"] } }, { metadata: { finalizers: ["e/f", "a/b", "c/d"] } }],
  ["texts are deleted from a list",      { metadata: { finalizers: ["a/b", "c/d"] } }, { metadata: { "$deleteFromPrimitiveList/finalizers": ["a/b"] } }, { metadata: { finalizers: ["c/d"] } }],
  ["an order is set",                    containers("a", "b", "c"), { spec: { "$setElementOrder/containers": named("c", "a", "b") } }, containers("c", "a", "b")],
  ["what only the server has keeps its place", containers("a", "s", "b"), { spec: { "$setElementOrder/containers": named("b", "a"), containers: [{ name: "a", image: "y" }] } }, { spec: { containers: [{ name: "s", image: "x" }, { name: "b", image: "x" }, { name: "a", image: "y" }] } }],
  ["only some keys stay",                { spec: { volumes: [{ name: "v", emptyDir: {} }] } }, { spec: { volumes: [{ name: "v", hostPath: { path: "/" }, $retainKeys: ["name", "hostPath"] }] } }, { spec: { volumes: [{ name: "v", hostPath: { path: "/" } }] } }],
  ["what is new has no directives",      {}, { spec: { containers: [{ name: "a" }, { name: "b", $patch: "delete" }], nodeSelector: null } }, { spec: { containers: [{ name: "a" }] } }],
];

test.each(cases)("%s", (_, object, patch, want) => {
  const before = JSON.stringify([object, patch]);
  expect(applyStrategicPatch(object as KubeObject, patch as Record<string, unknown>, POD)).toEqual(want);
  expect(JSON.stringify([object, patch])).toBe(before);
});

// biome-ignore format: one text per line
const errors: [object, object, number, string][] = [
  [containers("a"), { spec: { containers: [{ image: "y" }] } },              500, "map: map[image:y] does not contain declared merge key: name"],
  [containers("a"), { spec: { containers: [{ name: "a", $patch: "merge" }] } }, 500, "merging lists cannot yet be specified in the patch"],
  [containers("a"), { spec: { $patch: "frob" } },                            500, "unknown patch type: frob in map: map[$patch:frob]"],
  [containers("a"), { spec: { "$setElementOrder/nothing": [] } },            500, `unable to find api field in struct PodSpec for the json field "nothing"`],
  [containers("a"), { spec: { $setElementOrder: [] } },                      400, "invalid patch format of setElementOrder list"],
  [containers("a"), { spec: { $deleteFromPrimitiveList: [] } },              400, "invalid patch format of primitive list"],
  [containers("a"), { spec: { $retainKeys: "x" } },                          400, "invalid patch format of retainKeys"],
  [containers("a"), { spec: { "$setElementOrder/containers": named("b"), containers: [{ name: "a" }] } }, 500, "The order in patch list:\n[map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:b]]\n"],
  [{ metadata: { finalizers: ["a"] } }, { metadata: { finalizers: [[]] } },  500, "list element types are not identical: [[a] [[]]]"],
  [{ metadata: { finalizers: [] } }, { metadata: { finalizers: [[]] } },     422, "the server rejected our request due to an error in our request"],
];

test.each(errors)("error %#", (object, patch, code, message) => {
  expect(applyStrategicPatch(object as KubeObject, patch as Record<string, unknown>, POD)).toMatchObject({
    kind: "Status",
    code,
    message,
  });
});

test("custom resources have none", () => {
  const kind = { group: "example.com", version: "v1", kind: "Widget" };
  expect(applyStrategicPatch({}, {}, kind)).toMatchObject({
    code: 400,
    message: "strategic merge patch format is not supported",
  });
});

test("below a template", () => {
  const template = (image: string): object => ({
    spec: { template: { spec: { containers: [{ name: "a", image }] } } },
  });
  expect(
    applyStrategicPatch(template("x") as KubeObject, template("y") as Record<string, unknown>, DEPLOYMENT),
  ).toEqual(template("y"));
});
