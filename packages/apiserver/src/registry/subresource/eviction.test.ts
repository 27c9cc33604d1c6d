// Evictions under disruption budgets. The answers are those of kube-apiserver 1.36.4.

import { expect, test } from "vitest";
import type { LocalClient, Reply } from "../../client/local-client.ts";
import { testServer } from "../../server.testing.ts";

const PODS = "/api/v1/namespaces/default/pods";
const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const MERGE = "application/merge-patch+json";
const REFUSAL = "Cannot evict pod as it would violate the pod's disruption budget.";

async function withPod(phase: string, ready: string, labels: object = { app: "x" }): Promise<LocalClient> {
  const { admin } = await testServer({ withoutPlugins: ["ServiceAccount"] });
  const spec = { nodeName: "n", containers: [{ name: "c", image: "i" }] };
  await admin.call("POST", PODS, { body: { apiVersion: "v1", kind: "Pod", metadata: { name: "p", labels }, spec } });
  const body = { status: { phase, conditions: [{ type: "Ready", status: ready }] } };
  await admin.call("PATCH", `${PODS}/p/status`, { type: MERGE, body });
  return admin;
}

async function budget(admin: LocalClient, name: string, status?: object, spec: object = {}): Promise<void> {
  const selector = { matchLabels: { app: "x" } };
  const body = {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name },
    spec: { minAvailable: 1, selector, ...spec },
  };
  await admin.call("POST", BUDGETS, { body });
  if (status === undefined) return;
  await admin.call("PATCH", `${BUDGETS}/${name}/status`, {
    type: MERGE,
    body: { status: { observedGeneration: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 2, ...status } },
  });
}

function evict(admin: LocalClient, more: object = {}): Promise<Reply> {
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" }, ...more };
  return admin.call("POST", `${PODS}/p/eviction`, { body });
}

test("a budget that nobody has counted yet allows nothing", async () => {
  const admin = await withPod("Running", "True");
  await budget(admin, "b");
  const refused = await evict(admin);
  expect(refused.headers["retry-after"]).toBe("10");
  expect(refused.json()).toMatchObject({
    code: 429,
    message: REFUSAL,
    details: {
      causes: [
        { reason: "DisruptionBudget", message: "The disruption budget b is still being processed by the server." },
      ],
    },
  });
});

// biome-ignore format: one status per line
test.each([
  [{ disruptionsAllowed: 0 },                    429, "The disruption budget b needs 1 healthy pods and has 1 currently"],
  [{ disruptionsAllowed: 0, currentHealthy: 2 }, 429, "The disruption budget b does not allow evicting pods currently"],
  [{ disruptionsAllowed: 1 },                    201, undefined],
])("a budget with %j", async (status, code, cause) => {
  const admin = await withPod("Running", "True");
  await budget(admin, "b", status);
  const reply = await evict(admin);
  expect([reply.code, reply.json().details?.causes?.[0].message]).toEqual([code, cause]);
});

test("an eviction is taken from the budget, and the pod says why it goes", async () => {
  const admin = await withPod("Running", "True");
  await budget(admin, "b", { disruptionsAllowed: 1 });
  expect((await evict(admin, { deleteOptions: { dryRun: ["All"] } })).code).toBe(201);
  expect((await admin.call("GET", `${BUDGETS}/b`)).json().status.disruptionsAllowed).toBe(1);
  expect((await evict(admin)).code).toBe(201);
  expect((await admin.call("GET", `${BUDGETS}/b`)).json().status).toMatchObject({
    disruptionsAllowed: 0,
    disruptedPods: { p: expect.any(String) },
    conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods", observedGeneration: 1 }],
  });
  const pod = (await admin.call("GET", `${PODS}/p`)).json();
  expect(pod.metadata.deletionGracePeriodSeconds).toBe(30);
  expect(pod.status.conditions).toMatchObject([
    { type: "Ready" },
    { type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI", message: "Eviction API: evicting" },
  ]);
});

test("a pod that is not ready is evicted while enough others are, or always", async () => {
  const counted = await withPod("Running", "False");
  await budget(counted, "b", { disruptionsAllowed: 0 });
  expect((await evict(counted)).code).toBe(201);
  const uncounted = await withPod("Running", "False");
  await budget(uncounted, "b", { disruptionsAllowed: 0, currentHealthy: 0 });
  expect((await evict(uncounted)).code).toBe(429);
  const always = await withPod("Running", "False");
  const spec = { unhealthyPodEvictionPolicy: "AlwaysAllow" };
  await budget(always, "b", { disruptionsAllowed: 0, currentHealthy: 0 }, spec);
  expect((await evict(always)).code).toBe(201);
});

test("two budgets for one pod are an error; a pod that does not run needs none", async () => {
  const running = await withPod("Running", "True");
  for (const name of ["a", "b"]) await budget(running, name, { disruptionsAllowed: 1 });
  expect((await evict(running)).json()).toMatchObject({
    code: 500,
    message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
  });
  const pending = await withPod("Pending", "False");
  await budget(pending, "b");
  expect((await evict(pending)).code).toBe(201);
});

test("an eviction may be for one state of the pod alone", async () => {
  const admin = await withPod("Succeeded", "False");
  const refused = await evict(admin, { deleteOptions: { preconditions: { resourceVersion: "1" } } });
  expect(refused.json()).toMatchObject({ code: 409, reason: "Conflict" });
  const { metadata } = (await admin.call("GET", `${PODS}/p`)).json();
  const preconditions = { resourceVersion: metadata.resourceVersion };
  expect((await evict(admin, { deleteOptions: { preconditions } })).code).toBe(201);
});
