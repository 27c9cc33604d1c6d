import { afterAll, beforeAll, expect, test } from "vitest";
import {
  DEPLOYMENTS,
  PODS,
  REPLICA_SETS,
  type Read,
  type Simulated,
  simulated,
  template,
  workload,
} from "../simulation.testing.ts";

let cluster: Simulated;
beforeAll(async () => {
  cluster = await simulated();
});
afterAll(() => cluster.close());

const setsOf = async (app: string): Promise<readonly Read[]> =>
  [...(await cluster.list(`${REPLICA_SETS}?labelSelector=app%3D${app}`))].sort((a, b) => revisionOf(a) - revisionOf(b));
const revisionOf = ({ metadata }: Read): number => Number(metadata.annotations["deployment.kubernetes.io/revision"]);
const sizes = (sets: readonly Read[]): readonly number[] => sets.map(({ spec }) => spec.replicas);
const progress = ({ status }: Read): Read => status.conditions?.find(({ type }: Read) => type === "Progressing");
const isDone = (replicas: number) => (deployment: Read) => {
  const { metadata, status } = deployment;
  expect(status).toMatchObject({
    observedGeneration: metadata.generation,
    replicas,
    updatedReplicas: replicas,
    availableReplicas: replicas,
  });
  expect(progress(deployment)?.reason).toBe("NewReplicaSetAvailable");
};
const image = (name: string): object => ({
  spec: { template: { spec: { containers: [{ name: "c", image: name }] } } },
});

test("a Deployment rolls out, is changed, and is undone", async () => {
  await cluster.create(DEPLOYMENTS, workload("web", { replicas: 3 }));
  const first = await cluster.until(`${DEPLOYMENTS}/web`, isDone(3));
  expect(first.metadata.annotations["deployment.kubernetes.io/revision"]).toBe("1");
  expect(first.status.conditions.find(({ type }: Read) => type === "Available")).toMatchObject({
    status: "True",
    reason: "MinimumReplicasAvailable",
    message: "Deployment has minimum availability.",
  });
  await cluster.patch(`${DEPLOYMENTS}/web`, image("i:2"));
  await cluster.until(`${DEPLOYMENTS}/web`, isDone(3));
  const [old, current] = await setsOf("web");
  expect(sizes([old, current])).toEqual([0, 3]);
  expect(current.metadata.labels["pod-template-hash"]).toBe(current.metadata.name.slice("web-".length));
  expect(current.spec.selector.matchLabels).toEqual(current.metadata.labels);
  await cluster.patch(`${DEPLOYMENTS}/web`, image("i:1"));
  await cluster.until(`${DEPLOYMENTS}/web`, isDone(3));
  const undone = await setsOf("web");
  expect(undone.map(({ metadata }) => metadata.name)).toEqual([current.metadata.name, old.metadata.name]);
  expect(undone.map(revisionOf)).toEqual([2, 3]);
});

test("pods that do not become ready hold up a rollout, within its bounds", async () => {
  const strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  await cluster.create(DEPLOYMENTS, workload("held", { replicas: 3, strategy, progressDeadlineSeconds: 1 }));
  await cluster.until(`${DEPLOYMENTS}/held`, isDone(3));
  const annotations = { "simulation.celadon.dev/ready-after": "never" };
  await cluster.patch(`${DEPLOYMENTS}/held`, { spec: { template: { metadata: { annotations } } } });
  // On a slow machine the deadline may pass before the pod is counted.
  const failed = await cluster.until(`${DEPLOYMENTS}/held`, (one) => {
    expect(progress(one).reason).toBe("ProgressDeadlineExceeded");
    expect(one.status).toMatchObject({
      replicas: 4,
      updatedReplicas: 1,
      availableReplicas: 3,
      unavailableReplicas: 1,
    });
  });
  expect(progress(failed)).toMatchObject({
    status: "False",
    message: expect.stringMatching(/^ReplicaSet "held-\w+" has timed out progressing\.$/),
  });
  expect(sizes(await setsOf("held"))).toEqual([3, 1]);
  // Scaled in the middle, every set keeps its share.
  await cluster.patch(`${DEPLOYMENTS}/held`, { spec: { replicas: 6 } });
  await cluster.until(`${DEPLOYMENTS}/held`, ({ status }) => expect(status.replicas).toBe(7));
  const [before, after] = sizes(await setsOf("held"));
  expect(before! + after!).toBe(7);
  expect(before).toBeGreaterThan(after!);
});

test("a paused Deployment changes its size only", async () => {
  await cluster.create(DEPLOYMENTS, workload("paused", { replicas: 1 }));
  await cluster.until(`${DEPLOYMENTS}/paused`, isDone(1));
  await cluster.patch(`${DEPLOYMENTS}/paused`, { spec: { paused: true, replicas: 2 } });
  await cluster.patch(`${DEPLOYMENTS}/paused`, image("i:2"));
  await cluster.until(`${DEPLOYMENTS}/paused`, (one) => {
    expect(one.status).toMatchObject({ observedGeneration: one.metadata.generation, availableReplicas: 2 });
    expect(progress(one).reason).toBe("DeploymentPaused");
  });
  expect(await setsOf("paused")).toHaveLength(1);
  await cluster.patch(`${DEPLOYMENTS}/paused`, { spec: { paused: false } });
  await cluster.until(`${DEPLOYMENTS}/paused`, isDone(2));
  expect(await setsOf("paused")).toHaveLength(2);
});

test("with Recreate the old pods are gone before new ones are made", async () => {
  const annotations = { "simulation.celadon.dev/stop-after": "300ms" };
  await cluster.create(
    DEPLOYMENTS,
    workload("re", { replicas: 2, strategy: { type: "Recreate" }, template: template("re", {}, annotations) }),
  );
  await cluster.until(`${DEPLOYMENTS}/re`, isDone(2));
  const before = new Set((await cluster.list(`${PODS}?labelSelector=app%3Dre`)).map(({ metadata }) => metadata.uid));
  await cluster.patch(`${DEPLOYMENTS}/re`, image("i:2"));
  const { items } = await cluster.until(`${PODS}?labelSelector=app%3Dre`, ({ items: pods }) => {
    expect(pods.length).toBeGreaterThan(0);
    expect(pods.some(({ spec }: Read) => spec.containers[0].image === "i:2")).toBe(true);
  });
  expect(items.some(({ metadata }: Read) => before.has(metadata.uid))).toBe(false);
  await cluster.until(`${DEPLOYMENTS}/re`, isDone(2));
});

test("former sets are kept up to the limit", async () => {
  await cluster.create(DEPLOYMENTS, workload("history", { replicas: 1, revisionHistoryLimit: 1 }));
  for (const name of ["i:2", "i:3", "i:4"]) {
    await cluster.until(`${DEPLOYMENTS}/history`, isDone(1));
    await cluster.patch(`${DEPLOYMENTS}/history`, image(name));
  }
  await cluster.until(`${DEPLOYMENTS}/history`, isDone(1));
  await cluster.until(`${REPLICA_SETS}?labelSelector=app%3Dhistory`, ({ items }) =>
    expect(items.map(revisionOf).sort()).toEqual([3, 4]),
  );
});

test("a set without a controller is adopted", async () => {
  await cluster.create(DEPLOYMENTS, workload("kept", { replicas: 1 }));
  await cluster.until(`${DEPLOYMENTS}/kept`, isDone(1));
  await cluster.admin.call("DELETE", `${DEPLOYMENTS}/kept`, { body: { propagationPolicy: "Orphan" } });
  const orphan = await cluster.until(`${REPLICA_SETS}?labelSelector=app%3Dkept`, ({ items }) =>
    expect(items[0].metadata.ownerReferences).toBeUndefined(),
  );
  await cluster.create(DEPLOYMENTS, workload("kept", { replicas: 1 }));
  await cluster.until(`${DEPLOYMENTS}/kept`, isDone(1));
  const [set] = await setsOf("kept");
  expect(set.metadata.uid).toBe(orphan.items[0].metadata.uid);
  expect(set.metadata.ownerReferences).toMatchObject([{ kind: "Deployment", name: "kept", controller: true }]);
});
