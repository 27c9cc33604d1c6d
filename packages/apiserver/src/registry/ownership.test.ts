// The owners of fields after writes to an object, its Scale and its status. The answers are those of kube-apiserver 1.36.4.

import type { ManagedFieldsEntry } from "@celadon/merge";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { configMap, type TestServer, testServer } from "../server.testing.ts";

let running: TestServer;
beforeAll(async () => {
  running = await testServer();
  return () => running.server.close();
});

const SETS = "/apis/apps/v1/namespaces/default/replicasets";
const SET = `${SETS}/d`;
const MERGE = "application/merge-patch+json";
const APPLY = "application/apply-patch+yaml";
const JSON_TYPE = "application/json";
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const set = (spec: object): object => ({ apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name: "d" }, spec });
const scale = (replicas: number): object => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { name: "d", namespace: "default" },
  spec: { replicas },
});

async function send(method: string, path: string, body: object, type: string): Promise<string> {
  const reply = await running.admin.call(method, path, { type, body: JSON.stringify(body) });
  return reply.code < 300 ? "" : reply.json().message;
}

beforeEach(async () => {
  await running.admin.call("DELETE", SET);
  const spec = { replicas: 1, selector: { matchLabels: { a: "b" } }, template };
  await send("POST", `${SETS}?fieldManager=alice`, set(spec), JSON_TYPE);
});

/** Each manager, with the number of fields of the spec it owns, and whether replicas is one of them. */
async function owners(): Promise<string> {
  const { metadata } = (await running.admin.call("GET", SET)).json();
  return (metadata.managedFields as ManagedFieldsEntry[])
    .map(({ manager, operation, apiVersion, subresource, time, fieldsV1 }) => {
      const fields = Object.keys(fieldsV1?.["f:spec"] ?? {});
      const where = `${apiVersion}${subresource === undefined ? "" : `/${subresource}`}`;
      return `${manager} ${operation} ${where}${time === undefined ? " (no time)" : ""} ${fields.length}${fields.includes("f:replicas") ? " replicas" : ""}`;
    })
    .join(", ");
}

// biome-ignore format: one write per line
const WRITES: readonly [method: string, path: string, body: object, type: string, answer: string, owners: string][] = [
  ["PUT",   "/scale?fieldManager=bob",              scale(1),                    JSON_TYPE, "", "alice Update apps/v1 (no time) 1 replicas, alice Update apps/v1 2"],
  ["PUT",   "/scale?fieldManager=bob",              scale(2),                    JSON_TYPE, "", "alice Update apps/v1 2"],
  ["PATCH", "/scale?fieldManager=carol",            { spec: { replicas: 4 } },   MERGE,     "", "alice Update apps/v1 2"],
  ["PATCH", "/scale?fieldManager=app",              scale(5),                    APPLY,     `Apply failed with 1 conflict: conflict with "before-first-apply" with subresource "scale" using autoscaling/v1: .spec.replicas`, "alice Update apps/v1 2"],
  ["PATCH", "/scale?fieldManager=app&force=true",   scale(5),                    APPLY,     "", "app Apply apps/v1/scale (no time) 1 replicas, alice Update apps/v1 2"],
  ["PATCH", "/scale?fieldManager=app2",             scale(5),                    APPLY,     "", "app Apply apps/v1/scale (no time) 1 replicas, app2 Apply apps/v1/scale (no time) 1 replicas, alice Update apps/v1 2"],
  ["PATCH", "?fieldManager=main",                   set({ replicas: 6 }),        APPLY,     `Apply failed with 2 conflicts: conflicts with "app" with subresource "scale":\n- .spec.replicas\nconflicts with "app2" with subresource "scale":\n- .spec.replicas`, "app Apply apps/v1/scale (no time) 1 replicas, app2 Apply apps/v1/scale (no time) 1 replicas, alice Update apps/v1 2"],
  ["PATCH", "?fieldManager=main&force=true",        set({ replicas: 6 }),        APPLY,     "", "main Apply apps/v1 1 replicas, alice Update apps/v1 2"],
  ["PUT",   "/scale?fieldManager=bob",              scale(7),                    JSON_TYPE, "", "bob Update apps/v1/scale (no time) 1 replicas, alice Update apps/v1 2"],
  ["PATCH", "?fieldManager=alice",                  { spec: { replicas: 9 } },   MERGE,     "", "alice Update apps/v1 3 replicas"],
];

test("writes through the scale subresource own the replicas of the object", async () => {
  expect(await owners()).toBe("alice Update apps/v1 3 replicas");
  for (const [method, path, body, type, answer, expected] of WRITES) {
    expect(await send(method, `${SET}${path}`, body, type)).toBe(answer);
    expect(await owners()).toBe(expected);
  }
});

test("an apply of the Scale conflicts with who owns the replicas", async () => {
  expect(await send("PATCH", `${SET}/scale?fieldManager=app`, scale(5), APPLY)).toBe(
    `Apply failed with 1 conflict: conflict with "alice" using autoscaling/v1: .spec.replicas`,
  );
});

test("an endpoint that can change some fields alone owns no others", async () => {
  const pods = "/api/v1/namespaces/default/pods";
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "e" } };
  await send("POST", pods, { ...pod, spec: { containers: [{ name: "c", image: "i" }] } }, JSON_TYPE);
  const metadata = { name: "e", labels: { x: "y" } };
  const spec = { ephemeralContainers: [{ name: "debug", image: "i" }], containers: [{ name: "c", image: "i" }] };
  const path = `${pods}/e/ephemeralcontainers?fieldManager=debugger&force=true`;
  expect(await send("PATCH", path, { ...pod, metadata, spec }, APPLY)).toBe("");
  const { managedFields } = (await running.admin.call("GET", `${pods}/e`)).json().metadata;
  const { fieldsV1 } = managedFields.find(({ manager }: { manager: string }) => manager === "debugger");
  expect(fieldsV1).toEqual({
    "f:spec": {
      "f:ephemeralContainers": { 'k:{"name":"debug"}': { ".": {}, "f:image": {}, "f:name": {} } },
    },
  });
});

// biome-ignore format: one endpoint per line
test.each([
  ["apps/v1", "Deployment", "/apis/apps/v1/namespaces/default/deployments", { selector: { matchLabels: { a: "b" } }, template }, undefined],
  ["apps/v1", "ReplicaSet", "/apis/apps/v1/namespaces/default/replicasets", { selector: { matchLabels: { a: "b" } }, template }, { "f:labels": { "f:x": {} } }],
])("what the status of a %s %s cannot change is not owned there", async (apiVersion, kind, path, spec, metadata) => {
  const object = { apiVersion, kind, metadata: { name: "s" } };
  await send("POST", path, { ...object, spec }, JSON_TYPE);
  const status = { ...object, metadata: { name: "s", labels: { x: "y" } }, spec: { replicas: 3 }, status: { replicas: 4 } };
  expect(await send("PATCH", `${path}/s/status?fieldManager=st`, status, APPLY)).toBe("");
  const { managedFields } = (await running.admin.call("GET", `${path}/s`)).json().metadata;
  const { fieldsV1 } = managedFields.find(({ manager }: { manager: string }) => manager === "st");
  expect(fieldsV1).toEqual({ ...(metadata && { "f:metadata": metadata }), "f:status": { "f:replicas": {} } });
});

test("a claim that a volume names is owned field by field", async () => {
  const volume = {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "v" },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      hostPath: { path: "/x" },
      claimRef: { namespace: "default", name: "c" },
    },
  };
  const reply = await running.admin.call("POST", "/api/v1/persistentvolumes", { body: volume });
  const [entry] = reply.json().metadata.managedFields;
  expect(entry.fieldsV1["f:spec"]["f:claimRef"]).toEqual({ ".": {}, "f:name": {}, "f:namespace": {} });
});

test("labels that a Job gets from the server are in the answer, and nobody's", async () => {
  const jobs = "/apis/batch/v1/namespaces/default/jobs";
  const spec = { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } } };
  const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "j" }, spec };
  const created = (await running.admin.call("POST", jobs, { body: job })).json();
  expect(created.metadata.labels).toMatchObject({
    "batch.kubernetes.io/controller-uid": created.metadata.uid,
    "job-name": "j",
  });
  const status = { status: { active: 1 } };
  const patched = (await running.admin.call("PATCH", `${jobs}/j/status`, { type: MERGE, body: status })).json();
  for (const { fieldsV1 } of patched.metadata.managedFields) expect(fieldsV1["f:metadata"]).toBeUndefined();
});

test("the answer to a TokenRequest says who asked for which fields", async () => {
  await running.admin.call("POST", "/api/v1/namespaces/default/serviceaccounts", {
    body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "sa" } },
  });
  const reply = await running.admin.call(
    "POST",
    "/api/v1/namespaces/default/serviceaccounts/sa/token?fieldManager=me",
    {
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: ["a"] } },
    },
  );
  expect(reply.json().metadata.managedFields).toMatchObject([
    {
      manager: "me",
      operation: "Update",
      subresource: "token",
      fieldsV1: { "f:spec": { "f:audiences": {}, "f:expirationSeconds": {} } },
    },
  ]);
});

test("the metadata of a DaemonSet alone has no generation of its template", async () => {
  const sets = "/apis/apps/v1/namespaces/default/daemonsets";
  const spec = { selector: { matchLabels: { a: "b" } }, template };
  await send("POST", sets, { apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name: "d" }, spec }, JSON_TYPE);
  const whole = (await running.admin.call("GET", `${sets}/d`)).json();
  expect(whole.metadata.annotations).toEqual({ "deprecated.daemonset.template.generation": "1" });
  const accept = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
  const partial = (await running.admin.call("GET", `${sets}/d`, { headers: { accept } })).json();
  expect(partial.metadata.annotations).toBeUndefined();
});

test("managed fields that a client sends are validated where they can be used", async () => {
  const create = (name: string, entry: object) =>
    running.admin.call("POST", "/api/v1/namespaces/default/configmaps", {
      body: {
        ...configMap(name),
        metadata: { name, managedFields: [{ apiVersion: "v1", operation: "Update", ...entry }] },
      },
    });
  const long = "m".repeat(129);
  const own = { fieldsType: "FieldsV1", fieldsV1: { "f:data": { "f:other": {} } } };
  expect((await create("empty", { manager: long, fieldsType: "FieldsV1", fieldsV1: {} })).code).toBe(201);
  expect((await create("other", { manager: long, fieldsType: "Other", fieldsV1: own.fieldsV1 })).code).toBe(201);
  expect((await create("long", { manager: long, ...own })).json().message).toContain(
    "metadata.managedFields[0].manager: Too long: may not be more than 128 bytes",
  );
});
