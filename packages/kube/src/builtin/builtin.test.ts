import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Schema } from "../schema/schema.ts";
import { builtinKind, builtinResource, builtinResources, builtinSchema, preferredResource } from "./index.ts";

const at = (schema: Schema | undefined, ...path: string[]): Schema | undefined =>
  path.reduce<Schema | undefined>((item, step) => {
    if (item === undefined) return undefined;
    if (step === "*")
      return item.items ?? (typeof item.additionalProperties === "object" ? item.additionalProperties : undefined);
    return item.properties?.get(step);
  }, schema);

const pod = builtinSchema({ group: "", version: "v1", kind: "Pod" });
const deployment = builtinSchema({ group: "apps", version: "v1", kind: "Deployment" });
const service = builtinSchema({ group: "", version: "v1", kind: "Service" });
const crd = builtinSchema({ group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" });

// biome-ignore format: one case per line
const fields: [Schema | undefined, string[], Schema][] = [
  [pod,        ["apiVersion"],                                        { type: "string" }],
  [pod,        ["metadata", "creationTimestamp"],                     { type: "string", format: "date-time" }],
  [pod,        ["metadata", "labels"],                                { type: "object", additionalProperties: { type: "string" } }],
  [pod,        ["metadata", "generation"],                            { type: "integer", format: "int64" }],
  [pod,        ["spec", "containers", "*", "ports", "*", "hostPort"], { type: "integer", format: "int32" }],
  [pod,        ["spec", "containers", "*", "livenessProbe", "httpGet", "port"], { intOrString: true }],
  [pod,        ["spec", "containers", "*", "resources", "limits", "*"], { type: "string" }],
  [pod,        ["spec", "hostNetwork"],                               { type: "boolean" }],
  [deployment, ["spec", "strategy", "rollingUpdate", "maxSurge"],     { intOrString: true }],
  [deployment, ["spec", "template", "spec", "containers", "*", "args"], { type: "array", items: { type: "string" } }],
  [service,    ["spec", "ports", "*", "targetPort"],                  { intOrString: true }],
  [builtinSchema({ group: "", version: "v1", kind: "Secret" }), ["data", "*"], { type: "string", format: "byte" }],
  [crd,        ["spec", "versions", "*", "schema", "openAPIV3Schema", "maximum"], { type: "number", format: "double" }],
  [crd,        ["spec", "versions", "*", "schema", "openAPIV3Schema", "x-kubernetes-list-type"], { type: "string" }],
  [crd,        ["spec", "versions", "*", "schema", "openAPIV3Schema", "default"], { preserveUnknownFields: true }],
];

test.each(fields)("field %#", (schema, path, want) => expect(at(schema, ...path)).toEqual(want));

test("required fields, and types that contain themselves", () => {
  expect(at(pod, "spec")!.required).toEqual(["containers"]);
  expect(pod!.required).toBeUndefined();
  const props = at(crd, "spec", "versions", "*", "schema", "openAPIV3Schema")!;
  expect(at(props, "properties", "*")).toBe(props);
});

test("kinds of subresources and lists", () => {
  expect(builtinSchema({ group: "autoscaling", version: "v1", kind: "Scale" })!.name).toBe("V1Scale");
  expect(at(builtinSchema({ group: "", version: "v1", kind: "PodList" }), "items", "*")).toBe(pod);
  expect(
    builtinSchema({ group: "authorization.k8s.io", version: "v1", kind: "SubjectAccessReviewList" }),
  ).toBeUndefined();
  expect(builtinSchema({ group: "", version: "v1", kind: "Widget" })).toBeUndefined();
});

describe("resources", () => {
  test("every one has a schema with kind and metadata", () => {
    const resources = builtinResources();
    expect(resources.length).toBeGreaterThan(80);
    for (const resource of resources) {
      const schema = builtinSchema(resource);
      expect(schema?.properties?.has("kind"), resource.kind).toBe(true);
      expect(builtinKind(resource)).toBe(resource);
      expect(builtinResource(resource)).toBe(resource);
    }
  });

  test("scope, verbs and subresources", () => {
    expect(builtinResource({ group: "", version: "v1", resource: "namespaces" })).toMatchObject({
      kind: "Namespace",
      namespaced: false,
      subresources: [{ name: "status" }, { name: "finalize" }],
    });
    const pods = builtinKind({ group: "", version: "v1", kind: "Pod" })!;
    expect(pods.namespaced).toBe(true);
    expect(pods.verbs).toEqual(["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]);
    expect(pods.subresources.find(({ name }) => name === "exec")).toEqual({ name: "exec", verbs: ["create", "get"] });
    expect(pods.subresources.find(({ name }) => name === "eviction")!.kind).toEqual({
      group: "policy",
      version: "v1",
      kind: "Eviction",
    });
    const review = builtinKind({ group: "authorization.k8s.io", version: "v1", kind: "SubjectAccessReview" })!;
    expect(review.verbs).toEqual(["create"]);
  });

  test("the preferred version", () => {
    expect(preferredResource({ group: "autoscaling", resource: "horizontalpodautoscalers" })!.version).toBe("v2");
    expect(preferredResource({ group: "resource.k8s.io", kind: "ResourceClaim" })!.version).toBe("v1");
    expect(preferredResource({ group: "apps", resource: "pods" })).toBeUndefined();
  });
});

test("the table is what the generator writes", async () => {
  const script = new URL("../../scripts/generate-builtin-schemas.mjs", import.meta.url).href;
  const { buildTable, tableSource } = await import(script);
  const written = readFileSync(new URL("./generated/builtin-table.ts", import.meta.url), "utf8");
  expect(tableSource(await buildTable())).toBe(written);
});
