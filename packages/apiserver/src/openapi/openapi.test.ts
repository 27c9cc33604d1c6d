import { expect, test } from "vitest";
import { testServer } from "../server.testing.ts";

test("documents describe built-in and custom kinds, and follow definitions", async () => {
  const { admin, server } = await testServer();
  const index = (await admin.call("GET", "/openapi/v3")).json().paths;
  const { paths, components } = (await admin.call("GET", index["apis/apps/v1"].serverRelativeURL)).json();
  const { patch } = paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"];
  expect(patch["x-kubernetes-group-version-kind"]).toEqual({ group: "apps", version: "v1", kind: "Deployment" });
  expect(patch.parameters.map(({ name }: { name: string }) => name)).toContain("fieldValidation");
  const { containers } = components.schemas["io.k8s.api.core.v1.PodSpec"].properties;
  expect(containers).toMatchObject({
    "x-kubernetes-patch-merge-key": "name",
    items: { allOf: [{ $ref: "#/components/schemas/io.k8s.api.core.v1.Container" }] },
  });

  const openAPIV3Schema = { type: "object", properties: { spec: { type: "string" } } };
  const body = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "notes.example.com" },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural: "notes", kind: "Note" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
  await admin.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body });
  const later = (await admin.call("GET", "/openapi/v3")).json().paths["apis/example.com/v1"];
  const document = (await admin.call("GET", later.serverRelativeURL)).json();
  const { content } = document.paths["/apis/example.com/v1/notes/{name}"].patch.requestBody;
  expect(Object.keys(content)).not.toContain("application/strategic-merge-patch+json");
  const custom = document.components.schemas["com.example.v1.Note"];
  expect(custom.properties.spec).toEqual({ type: "string" });
  expect(custom["x-kubernetes-group-version-kind"]).toEqual([{ group: "example.com", version: "v1", kind: "Note" }]);
  const all = (await admin.call("GET", "/openapi/v2")).json();
  expect(all.definitions["com.example.v1.Note"]).toBeDefined();
  expect(JSON.stringify(all)).not.toContain('"parameters":[]');
  expect(JSON.stringify(all)).not.toContain("#/components/");
  await server.close();
});
