import type { KubeObject } from "@celadon/kube";
import { expect, test } from "vitest";
import { SimulatedCluster } from "../simulated/simulated-cluster.ts";
import { placeOf } from "./manifest.ts";
import { readManifests } from "./read-manifests.ts";

const TEXT = `
apiVersion: v1
kind: ConfigMap
metadata: { name: a }
---
# nothing here
---
apiVersion: v1
kind: List
items:
- { apiVersion: v1, kind: ConfigMap, metadata: { name: b } }
- apiVersion: v1
  kind: ConfigMap
  metadata: { name: c }
`;

test("documents and items of lists, with their places", () => {
  const { manifests, issues } = readManifests(TEXT, "all.yaml");
  expect(issues).toEqual([]);
  expect(manifests.map(({ object }) => object.metadata?.name)).toEqual(["a", "b", "c"]);
  const places = manifests.map((manifest) => placeOf(manifest, ["metadata", "name"]));
  expect(places.map((place) => `${place?.file}:${place?.line}:${place?.column}`)).toEqual([
    "all.yaml:4:19",
    "all.yaml:11:56",
    "all.yaml:14:21",
  ]);
});

test("what cannot be read is an issue with a place", () => {
  const { manifests, issues } = readManifests("a: [1\n---\napiVersion: v1\nkind: ConfigMap\n", "odd.yaml");
  expect(issues[0]).toMatchObject({ file: "odd.yaml" });
  expect(manifests.length).toBeLessThan(2);
});

test("a simulated accepts plain objects as well as manifests", async () => {
  const policy = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      },
      validations: [{ expression: "object.metadata.name != 'a'", message: "not a" }],
    },
  } as KubeObject;
  const binding = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "b" },
    spec: { policyName: "p", validationActions: ["Deny"] },
  } as KubeObject;
  const simulated = SimulatedCluster.of([policy, { object: binding }]);
  const answers = readManifests(TEXT).manifests.map(({ object }) => simulated.review({ object }));
  expect((await Promise.all(answers)).map(({ allowed }) => allowed)).toEqual([false, true, true]);
});
