import { expect, test } from "vitest";
import { storedForm } from "./stored-form.ts";

// biome-ignore format: one case per line
const cases: readonly (readonly [apiVersion: string, kind: string, object: object, want: object])[] = [
  ["v1",                "Secret",    { data: { a: null, b: "eA==" } },                    { data: { a: "", b: "eA==" } }],
  ["v1",                "ConfigMap", { binaryData: { a: null }, data: { a: "" } },        { binaryData: { a: "" }, data: { a: "" } }],
  ["v1",                "LimitRange", { spec: { limits: [] } },                           { spec: { limits: null } }],
  ["storage.k8s.io/v1", "CSINode",   { spec: { drivers: [{ name: "a", topologyKeys: [] }] } }, { spec: { drivers: [{ name: "a", topologyKeys: null }] } }],
  ["v1",                "Pod",       { spec: { containers: [{ name: "a" }], volumes: [{ name: "v", projected: { sources: [] } }] } },
                                     { spec: { containers: [{ name: "a" }], volumes: [{ name: "v", projected: { sources: null } }] } }],
];
test.each(cases)("%s %s: %j", (apiVersion, kind, object, want) => {
  const given = structuredClone(object);
  expect(storedForm(apiVersion, kind)(object)).toEqual(want);
  expect(object).toEqual(given);
});

test("an object of which nothing is lost is the same object", () => {
  const pod = { spec: { containers: [{ name: "a" }], volumes: [{ name: "v", emptyDir: {} }] } };
  expect(storedForm("v1", "Pod")(pod)).toBe(pod);
  const custom = { spec: { list: [] } };
  expect(storedForm("example.com/v1", "Thing")(custom)).toBe(custom);
});
