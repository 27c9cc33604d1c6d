// The Scale of a custom resource. The answers are those of kube-apiserver 1.36.4.

import { beforeAll, expect, test } from "vitest";
import { type TestServer, testServer } from "../server.testing.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const SCALERS = "/apis/example.com/v1/namespaces/default/scalers";
const SCALE = `${SCALERS}/a/scale`;
const MERGE = "application/merge-patch+json";

let running: TestServer;
beforeAll(async () => {
  running = await testServer();
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", properties: { replicas: { type: "integer", minimum: 0 } } } },
    },
  };
  await running.admin.call("POST", DEFINITIONS, {
    body: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "scalers.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "scalers", kind: "Scaler" },
        versions: [{ name: "v1", served: true, storage: true, subresources: { scale }, schema }],
      },
    },
  });
  const spec = { replicas: 2 };
  const body = { apiVersion: "example.com/v1", kind: "Scaler", metadata: { name: "a" }, spec };
  await running.admin.call("POST", `${SCALERS}?fieldManager=alice`, { body });
  return () => running.server.close();
});

const scaleTo = (replicas: number, metadata: object = {}): object => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { name: "a", namespace: "default", ...metadata },
  spec: { replicas },
});

test("a Scale may be for any version of the object, or for one", async () => {
  const any = await running.admin.call("PUT", SCALE, { body: scaleTo(3) });
  expect([any.code, any.json().spec]).toEqual([200, { replicas: 3 }]);
  const stale = await running.admin.call("PUT", SCALE, { body: scaleTo(4, { resourceVersion: "1" }) });
  expect([stale.code, stale.json().reason]).toEqual([409, "Conflict"]);
});

test("replicas are checked by the schema, and by the Scale", async () => {
  const { message } = (await running.admin.call("PUT", SCALE, { body: scaleTo(-1) })).json();
  expect(message).toBe(
    'Scaler.example.com "a" is invalid: [spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0, .spec.replicas: Invalid value: -1: should be a non-negative integer]',
  );
});

test("patches of the types of custom resources; nobody comes to own the replicas", async () => {
  const strategic = "application/strategic-merge-patch+json";
  expect((await running.admin.call("PATCH", SCALE, { type: strategic, body: {} })).code).toBe(415);
  const url = `${SCALE}?fieldManager=me`;
  expect((await running.admin.call("PATCH", url, { type: MERGE, body: { spec: { replicas: 5 } } })).code).toBe(200);
  const applied = await running.admin.call("PATCH", url, { type: "application/apply-patch+yaml", body: scaleTo(6) });
  expect([applied.code, applied.json().message]).toEqual([
    500,
    "failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid group/version: autoscaling/v1",
  ]);
  const { metadata } = (await running.admin.call("GET", `${SCALERS}/a`)).json();
  expect((metadata.managedFields ?? []).filter(({ subresource }: { subresource?: string }) => subresource)).toEqual([]);
});

test("a subresource that the definition does not have is an object that is not there", async () => {
  const reply = await running.admin.call("GET", `${SCALERS}/a/nothing`);
  expect([reply.code, reply.json().message]).toEqual([404, 'scalers.example.com "a" not found']);
});

test("a list says that it is whole", async () => {
  expect((await running.admin.call("GET", SCALERS)).json().metadata.continue).toBe("");
});
