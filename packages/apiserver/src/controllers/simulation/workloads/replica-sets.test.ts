import { afterAll, beforeAll, expect, test } from "vitest";
import { PODS, REPLICA_SETS, type Read, type Simulated, simulated, template, workload } from "../simulation.testing.ts";

let cluster: Simulated;
beforeAll(async () => {
  cluster = await simulated();
});
afterAll(() => cluster.close());

const ownerOf = ({ metadata }: Read): string | undefined => metadata.ownerReferences?.[0]?.name;

test("a pod that matches is adopted, one that no longer matches is released and replaced", async () => {
  await cluster.create(PODS, { ...template("a"), metadata: { name: "orphan", labels: { app: "a" } } });
  await cluster.create(REPLICA_SETS, workload("a", { replicas: 2 }));
  await cluster.until(`${REPLICA_SETS}/a`, ({ status }) =>
    expect(status).toMatchObject({ replicas: 2, readyReplicas: 2, availableReplicas: 2, fullyLabeledReplicas: 2 }),
  );
  expect(ownerOf(await cluster.get(`${PODS}/orphan`))).toBe("a");
  await cluster.patch(`${PODS}/orphan`, { metadata: { labels: { app: "other" } } });
  await cluster.until(`${PODS}/orphan`, (pod) => expect(ownerOf(pod)).toBeUndefined());
  await cluster.until(`${PODS}?labelSelector=app%3Da`, ({ items }) => expect(items).toHaveLength(2));
});

test("scaling down deletes the pods that cost least, and events tell of it", async () => {
  await cluster.create(REPLICA_SETS, workload("b", { replicas: 3 }));
  await cluster.until(`${REPLICA_SETS}/b`, ({ status }) => expect(status.readyReplicas).toBe(3));
  const pods = await cluster.list(`${PODS}?labelSelector=app%3Db`);
  const kept = pods[1].metadata.name;
  await cluster.patch(`${PODS}/${kept}`, {
    metadata: { annotations: { "controller.kubernetes.io/pod-deletion-cost": "10" } },
  });
  await cluster.patch(`${REPLICA_SETS}/b`, { spec: { replicas: 1 } });
  await cluster.until(`${PODS}?labelSelector=app%3Db`, ({ items }) =>
    expect(items.map(({ metadata }: Read) => metadata.name)).toEqual([kept]),
  );
  await cluster.until("/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3Db", ({ items }) =>
    expect(new Set(items.map(({ reason }: Read) => reason))).toEqual(new Set(["SuccessfulCreate", "SuccessfulDelete"])),
  );
});

test("a quota that is full is a condition, until there is room", async () => {
  await cluster.create("/api/v1/namespaces", { metadata: { name: "small" } });
  await cluster.create("/api/v1/namespaces/small/resourcequotas", {
    metadata: { name: "q" },
    spec: { hard: { pods: "1" } },
  });
  await cluster.until("/api/v1/namespaces/small/resourcequotas/q", ({ status }) => expect(status.hard).toBeDefined());
  const sets = "/apis/apps/v1/namespaces/small/replicasets";
  await cluster.until("/api/v1/namespaces/small/serviceaccounts/default", ({ kind }) =>
    expect(kind).toBe("ServiceAccount"),
  );
  await cluster.create(sets, workload("c", { replicas: 2 }));
  const message = "exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1";
  await cluster.until(`${sets}/c`, (set) =>
    expect(set.status.conditions?.[0]).toMatchObject({
      type: "ReplicaFailure",
      status: "True",
      reason: "FailedCreate",
      message: expect.stringContaining(message),
    }),
  );
  await cluster.patch(`${sets}/c`, { spec: { replicas: 1 } });
  await cluster.until(`${sets}/c`, (set) => expect(set.status.conditions).toBeUndefined());
});

test("a ReplicationController selects by labels", async () => {
  const controllers = "/api/v1/namespaces/default/replicationcontrollers";
  await cluster.create(controllers, {
    metadata: { name: "rc" },
    spec: { replicas: 2, selector: { app: "rc" }, template: template("rc") },
  });
  await cluster.until(`${controllers}/rc`, ({ status }) => expect(status.availableReplicas).toBe(2));
  const [pod] = await cluster.list(`${PODS}?labelSelector=app%3Drc`);
  expect(pod.metadata.ownerReferences).toMatchObject([
    { apiVersion: "v1", kind: "ReplicationController", controller: true },
  ]);
});

test("pods are created by the controller's own service account", async () => {
  const admission = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic";
  await cluster.create(`${admission}ies`, {
    metadata: { name: "who" },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
      },
      validations: [
        {
          expression: "!has(object.metadata.labels) || object.metadata.labels['app'] != 'd'",
          messageExpression: "request.userInfo.username",
        },
      ],
    },
  });
  await cluster.create(`${admission}ybindings`, {
    metadata: { name: "who" },
    spec: { policyName: "who", validationActions: ["Deny"] },
  });
  await cluster.create(REPLICA_SETS, workload("d", {}));
  const set = await cluster.until(`${REPLICA_SETS}/d`, ({ status }) => expect(status.conditions).toHaveLength(1));
  expect(set.status.conditions[0].message).toContain("system:serviceaccount:kube-system:replicaset-controller");
});
