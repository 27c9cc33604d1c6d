// Endpoints and slices of services, and budgets for disruptions: both follow pods.

import { afterAll, beforeAll, expect, test } from "vitest";
import { DEPLOYMENTS, PODS, type Read, type Simulated, simulated, template, workload } from "../simulation.testing.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const ENDPOINTS = "/api/v1/namespaces/default/endpoints";
const SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

let cluster: Simulated;
beforeAll(async () => {
  cluster = await simulated();
});
afterAll(() => cluster.close());

const slicesOf = (name: string): string => `${SLICES}?labelSelector=kubernetes.io/service-name%3D${name}`;

test("a service has the addresses of its ready pods", async () => {
  const containers = [{ name: "c", image: "i", ports: [{ name: "web", containerPort: 8080 }] }];
  await cluster.create(DEPLOYMENTS, workload("a", { replicas: 2, template: template("a", { containers }) }));
  await cluster.create(SERVICES, {
    metadata: { name: "a", labels: { x: "y" } },
    spec: { selector: { app: "a" }, ports: [{ name: "http", port: 80, targetPort: "web" }] },
  });
  await cluster.create(PODS, {
    ...template("a", { containers }, { "simulation.celadon.dev/ready-after": "never" }),
    metadata: { name: "slow", labels: { app: "a" }, annotations: { "simulation.celadon.dev/ready-after": "never" } },
  });
  const { items } = await cluster.until(slicesOf("a"), (list) => {
    expect(list.items).toHaveLength(1);
    expect(list.items[0].endpoints).toHaveLength(3);
    expect(list.items[0].endpoints.filter(({ conditions }: Read) => conditions.ready)).toHaveLength(2);
  });
  expect(items[0]).toMatchObject({
    addressType: "IPv4",
    ports: [{ name: "http", port: 8080, protocol: "TCP" }],
    metadata: {
      labels: { x: "y", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io" },
      ownerReferences: [{ kind: "Service", name: "a", controller: true }],
    },
  });
  const slow = items[0].endpoints.find(({ targetRef }: Read) => targetRef.name === "slow");
  expect(slow).toMatchObject({
    conditions: { ready: false, serving: false, terminating: false },
    nodeName: "simulated",
  });
  await cluster.until(`${ENDPOINTS}/a`, ({ subsets }) => {
    expect(subsets).toMatchObject([
      { notReadyAddresses: [{ targetRef: { name: "slow" } }], ports: [{ name: "http", port: 8080 }] },
    ]);
    expect(subsets[0].addresses).toHaveLength(2);
  });
  await cluster.admin.call("DELETE", `${SERVICES}/a`);
  await cluster.until(slicesOf("a"), (list) => expect(list.items).toEqual([]));
  await cluster.until(`${ENDPOINTS}/a`, ({ code }) => expect(code).toBe(404));
});

test("a service without pods has an empty slice, one without a selector has none", async () => {
  await cluster.create(SERVICES, {
    metadata: { name: "empty" },
    spec: { clusterIP: "None", selector: { app: "nothing" }, ports: [{ port: 80 }] },
  });
  await cluster.create(SERVICES, { metadata: { name: "own" }, spec: { ports: [{ port: 80 }] } });
  const { items } = await cluster.until(slicesOf("empty"), (list) => expect(list.items).toHaveLength(1));
  expect(items[0].metadata.labels["service.kubernetes.io/headless"]).toBe("");
  expect(items[0].endpoints).toBeNull();
  await cluster.until(`${ENDPOINTS}/empty`, ({ kind, subsets }) =>
    expect([kind, subsets]).toEqual(["Endpoints", undefined]),
  );
  expect(await cluster.list(slicesOf("own"))).toEqual([]);
});

test("a budget allows as many disruptions as pods are to spare", async () => {
  await cluster.create(DEPLOYMENTS, workload("b", { replicas: 3 }));
  await cluster.create(BUDGETS, {
    metadata: { name: "b" },
    spec: { maxUnavailable: "34%", selector: { matchLabels: { app: "b" } } },
  });
  const budget = await cluster.until(`${BUDGETS}/b`, ({ status }) =>
    expect(status).toMatchObject({ currentHealthy: 3 }),
  );
  expect(budget.status).toMatchObject({
    expectedPods: 3,
    desiredHealthy: 1,
    disruptionsAllowed: 2,
    conditions: [{ type: "DisruptionAllowed", status: "True", reason: "SufficientPods" }],
  });
  await cluster.patch(`${BUDGETS}/b`, { spec: { maxUnavailable: null, minAvailable: 3 } });
  await cluster.until(`${BUDGETS}/b`, ({ status }) =>
    expect(status).toMatchObject({ desiredHealthy: 3, disruptionsAllowed: 0 }),
  );
  const [pod] = await cluster.list(`${PODS}?labelSelector=app%3Db`);
  const evict = async (): Promise<number> =>
    (
      await cluster.admin.call("POST", `${PODS}/${pod.metadata.name}/eviction`, {
        body: { metadata: { name: pod.metadata.name } },
      })
    ).code;
  expect(await evict()).toBe(429);
  await cluster.patch(`${BUDGETS}/b`, { spec: { minAvailable: 2 } });
  await cluster.until(`${BUDGETS}/b`, ({ status }) => expect(status.disruptionsAllowed).toBe(1));
  expect(await evict()).toBe(201);
  await cluster.until(`${BUDGETS}/b`, ({ status }) =>
    expect(status).toMatchObject({ currentHealthy: 3, disruptionsAllowed: 1 }),
  );
});
