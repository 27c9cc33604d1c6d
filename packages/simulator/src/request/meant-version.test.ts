import { createResources } from "@celadon/admission/memory";
import { gvkOf } from "@celadon/kube";
import { expect, test } from "vitest";
import { SimulatedCluster } from "../simulated/simulated-cluster.ts";
import { meantVersion } from "./meant-version.ts";

// biome-ignore format: one case per line
test.each([
  { apiVersion: "networking.k8s.oi/v1", kind: "Ingress",     meant: "networking.k8s.io/v1" },
  { apiVersion: "app/v1",               kind: "Deployment",  meant: "apps/v1" },
  { apiVersion: "app/v2",               kind: "Deployment",  meant: "apps/v1" },
  { apiVersion: "app/v1",               kind: "Certificate", meant: undefined },
  { apiVersion: "serving.knative.dev/v1", kind: "Service",   meant: undefined },
])("$apiVersion $kind", ({ meant, ...kind }) => {
  expect(meantVersion(createResources().served(), gvkOf(kind))).toBe(meant);
});

test("a misspelt group of a CRD: the one that was meant is named, and nothing assumed", async () => {
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "limits.rules.example.com" },
    spec: {
      group: "rules.example.com",
      scope: "Namespaced",
      names: { plural: "limits", kind: "Limit" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  };
  const object = { apiVersion: "rules.exmaple.com/v1", kind: "Limit", metadata: { name: "l", namespace: "default" } };
  const { problems, assumptions } = await SimulatedCluster.of([definition]).review({ object });
  expect(problems.map(({ message }) => message)).toEqual([
    "no CustomResourceDefinition for rules.exmaple.com/v1 Limit in the inputs, so it is not validated; did you mean rules.example.com/v1?",
  ]);
  expect(assumptions).toEqual([]);
});
