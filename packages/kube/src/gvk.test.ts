import { expect, test } from "vitest";
import * as g from "./gvk.ts";
import { Invalid } from "./invalid.ts";

// biome-ignore format: one case per line
const versions: [string, g.GroupVersion | Invalid, string][] = [
  ["v1",      { group: "", version: "v1" },     "v1"],
  ["apps/v1", { group: "apps", version: "v1" }, "apps/v1"],
  ["",        { group: "", version: "" },       ""],
  ["/",       { group: "", version: "" },       ""],
  ["/v1",     { group: "", version: "v1" },     "v1"],
  ["apps/",   { group: "apps", version: "" },   "apps/"],
  ["a/b/c",   new Invalid("unexpected GroupVersion string: a/b/c"), ""],
];

test.each(versions)("apiVersion %j", (text, want, printed) => {
  const parsed = g.parseGroupVersion(text);
  expect(parsed).toEqual(want);
  if (!(parsed instanceof Invalid)) expect(g.apiVersionOf(parsed)).toBe(printed);
});

test("the kind an object says it is", () => {
  expect(g.gvkOf({ apiVersion: "apps/v1", kind: "Deployment" })).toEqual({
    group: "apps",
    version: "v1",
    kind: "Deployment",
  });
  expect(g.gvkOf({ apiVersion: 1, kind: null })).toEqual({ group: "", version: "", kind: "" });
  expect(g.gvkOf({ apiVersion: "a/b/c", kind: "X" })).toEqual({ group: "", version: "", kind: "X" });
  expect(g.gvkOf(Object.create({ kind: "Inherited" }))).toEqual({ group: "", version: "", kind: "" });
});

test("texts", () => {
  const gvk = { group: "apps", version: "v1", kind: "Deployment" };
  expect(g.gvkText(gvk)).toBe("apps/v1, Kind=Deployment");
  expect(g.gvkText({ group: "", version: "v1", kind: "Pod" })).toBe("/v1, Kind=Pod");
  expect(g.gvrText({ group: "apps", version: "v1", resource: "deployments" })).toBe("apps/v1, Resource=deployments");
  expect(g.groupKindText(gvk)).toBe("Deployment.apps");
  expect(g.groupResourceText({ group: "", resource: "pods" })).toBe("pods");
});

// biome-ignore format: one case per line
test.each([
  ["Pod", "pods"], ["Ingress", "ingresses"], ["NetworkPolicy", "networkpolicies"], ["Gateway", "gateways"], ["Sandbox", "sandboxes"], ["Switch", "switches"], ["Endpoints", "endpoints"], ["", ""],
])("resource of %s", (kind, resource) => expect(g.guessResource(kind)).toBe(resource));
