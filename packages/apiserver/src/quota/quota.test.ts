import { beforeAll, expect, test, vi } from "vitest";
import type { Reply } from "../client/local-client.ts";
import { configMap, type TestServer, testServer } from "../server.testing.ts";

let running: TestServer;
beforeAll(async () => {
  running = await testServer();
  await running.admin.call("POST", "/api/v1/namespaces", {
    body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "small" } },
  });
  return () => running.server.close();
});

const IN = "/api/v1/namespaces/small";
const post = (path: string, body: unknown): Promise<Reply> => running.admin.call("POST", `${IN}/${path}`, { body });
const used = async (name: string) =>
  (await running.admin.call("GET", `${IN}/resourcequotas/${name}`)).json().status?.used;
const quota = async (name: string, spec: object): Promise<void> => {
  await post("resourcequotas", { apiVersion: "v1", kind: "ResourceQuota", metadata: { name }, spec });
  await vi.waitFor(async () => expect(await used(name)).toBeDefined(), 100_000);
};
const pod = (name: string, requests: object | undefined, spec: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { containers: [{ name: "a", image: "i", ...(requests && { resources: { requests } }) }], ...spec },
});

test("pods are counted by their requests, refused beyond the limit, and given back", async () => {
  await quota("compute", { hard: { pods: "2", "requests.cpu": "1", "requests.example.com/gpu": "1" } });
  expect((await post("pods", pod("first", { cpu: "600m" }))).code).toBe(201);
  expect(await used("compute")).toEqual({ pods: "1", "requests.cpu": "600m", "requests.example.com/gpu": "0" });
  expect((await post("pods", pod("second", { cpu: "500m" }))).json()).toMatchObject({
    code: 403,
    message:
      'pods "second" is forbidden: exceeded quota: compute, requested: requests.cpu=500m, used: requests.cpu=600m, limited: requests.cpu=1',
  });
  expect((await post("pods", pod("second", undefined))).json().message).toBe(
    'pods "second" is forbidden: failed quota: compute: must specify requests.cpu for: a',
  );
  expect((await post("pods?dryRun=All", pod("second", { cpu: "100m" }))).code).toBe(201);
  expect((await used("compute")).pods).toBe("1");
  await running.admin.call("DELETE", `${IN}/pods/first`);
  await vi.waitFor(
    async () => expect(await used("compute")).toMatchObject({ pods: "0", "requests.cpu": "0" }),
    100_000,
  );
  await running.admin.call("DELETE", `${IN}/resourcequotas/compute`);
});

test("of many requests at once only as many pass as there is room for", async () => {
  await quota("counted", { hard: { "count/configmaps": "4" } });
  const replies = await Promise.all(Array.from({ length: 8 }, (_, i) => post("configmaps", configMap(`c${i}`))));
  expect(replies.filter(({ code }) => code === 201)).toHaveLength(4);
  expect(await used("counted")).toEqual({ "count/configmaps": "4" });
  await running.admin.call("DELETE", `${IN}/resourcequotas/counted`);
});

test("scopes choose the pods that count", async () => {
  await quota("deadline", { hard: { pods: "1" }, scopes: ["Terminating"] });
  await quota("priority", {
    hard: { pods: "0" },
    scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }] },
  });
  expect((await post("pods", pod("runs-on", undefined))).code).toBe(201);
  expect((await used("deadline")).pods).toBe("0");
  expect((await post("pods", pod("ends", undefined, { activeDeadlineSeconds: 60 }))).code).toBe(201);
  expect((await used("deadline")).pods).toBe("1");
  await running.admin.call("POST", "/apis/scheduling.k8s.io/v1/priorityclasses", {
    body: { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name: "high" }, value: 9 },
  });
  expect((await post("pods", pod("important", undefined, { priorityClassName: "high" }))).json().message).toContain(
    "exceeded quota: priority, requested: pods=1, used: pods=0, limited: pods=0",
  );
});

test("services and claims", async () => {
  const fast = "fast.storageclass.storage.k8s.io/requests.storage";
  await quota("others", {
    hard: { services: "5", "services.nodeports": "1", "requests.storage": "3Gi", [fast]: "1Gi" },
  });
  const service = (name: string, type: string, count: number) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: { type, ports: Array.from({ length: count }, (_, i) => ({ name: `p${i}`, port: 80 + i })) },
  });
  expect((await post("services", service("a", "ClusterIP", 2))).code).toBe(201);
  expect((await post("services", service("b", "NodePort", 2))).json().message).toContain(
    "requested: services.nodeports=2, used: services.nodeports=0, limited: services.nodeports=1",
  );
  const claim = (name: string, storageClassName: string, storage: string) => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name },
    spec: { storageClassName, accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
  });
  expect((await post("persistentvolumeclaims", claim("a", "slow", "2Gi"))).code).toBe(201);
  expect((await post("persistentvolumeclaims", claim("b", "fast", "1Gi"))).code).toBe(201);
  expect(await used("others")).toMatchObject({ services: "1", "requests.storage": "3Gi", [fast]: "1Gi" });
  expect((await post("persistentvolumeclaims", claim("c", "fast", "1Mi"))).code).toBe(403);
});

test("resource claims count the most devices they may get of each class", async () => {
  const devices = (name: string): string => `${name}.deviceclass.resource.k8s.io/devices`;
  await quota("devices", {
    hard: { "count/resourceclaims.resource.k8s.io": "3", [devices("gold")]: "40", [devices("lead")]: "3" },
  });
  const create = (name: string, requests: readonly object[]): Promise<Reply> =>
    running.admin.call("POST", "/apis/resource.k8s.io/v1/namespaces/small/resourceclaims", {
      body: {
        apiVersion: "resource.k8s.io/v1",
        kind: "ResourceClaim",
        metadata: { name },
        spec: { devices: { requests } },
      },
    });
  const two = { name: "two", exactly: { deviceClassName: "gold", count: 2 } };
  const either = {
    name: "either",
    firstAvailable: [
      { name: "a", deviceClassName: "lead", count: 3 },
      { name: "b", deviceClassName: "gold" },
      { name: "c", deviceClassName: "gold", count: 4 },
    ],
  };
  expect((await create("a", [two, either])).code).toBe(201);
  expect(await used("devices")).toEqual({
    "count/resourceclaims.resource.k8s.io": "1",
    [devices("gold")]: "6",
    [devices("lead")]: "3",
  });
  const all = { name: "all", exactly: { deviceClassName: "gold", allocationMode: "All" } };
  expect((await create("b", [all, two, { ...two, name: "more" }])).code).toBe(403);
  expect((await create("b", [all])).code).toBe(201);
  expect((await used("devices"))[devices("gold")]).toBe("38");
  expect(
    (
      await create("c", [
        { ...two, name: "again" },
        { ...two, name: "more" },
      ])
    ).json().message,
  ).toContain(
    "exceeded quota: devices, requested: gold.deviceclass.resource.k8s.io/devices=4, used: gold.deviceclass.resource.k8s.io/devices=38, limited: gold.deviceclass.resource.k8s.io/devices=40",
  );
});
