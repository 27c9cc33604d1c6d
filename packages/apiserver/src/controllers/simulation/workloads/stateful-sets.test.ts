import { afterAll, beforeAll, expect, test } from "vitest";
import { PODS, type Read, type Simulated, simulated, template, workload } from "../simulation.testing.ts";

const SETS = "/apis/apps/v1/namespaces/default/statefulsets";
const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";

let cluster: Simulated;
beforeAll(async () => {
  cluster = await simulated();
});
afterAll(() => cluster.close());

const podsOf = async (app: string): Promise<readonly Read[]> => cluster.list(`${PODS}?labelSelector=app%3D${app}`);
const names = (objects: readonly Read[]): readonly string[] => objects.map(({ metadata }) => metadata.name);
const change = { spec: { template: { spec: { containers: [{ name: "c", image: "i:2" }] } } } };

test("pods have names, and start one after the other", async () => {
  await cluster.create(SETS, workload("db", { replicas: 3, serviceName: "db" }));
  await cluster.until(`${SETS}/db`, ({ status }) =>
    expect(status).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
    }),
  );
  const pods = await podsOf("db");
  expect(names(pods)).toEqual(["db-0", "db-1", "db-2"]);
  expect(pods[1]!.metadata.labels).toMatchObject({
    "apps.kubernetes.io/pod-index": "1",
    "statefulset.kubernetes.io/pod-name": "db-1",
  });
  expect(pods[1]!.spec).toMatchObject({ hostname: "db-1", subdomain: "db" });
  await cluster.patch(`${SETS}/db`, { spec: { replicas: 1 } });
  await cluster.until(`${SETS}/db`, ({ status }) => expect(status.replicas).toBe(1));
  await cluster.until(`${PODS}?labelSelector=app%3Ddb`, ({ items }) => expect(names(items)).toEqual(["db-0"]));
});

test("a pod that is not ready holds up the next, unless the set is parallel", async () => {
  const slow = template("one", {}, { "simulation.celadon.dev/ready-after": "never" });
  await cluster.create(SETS, workload("one", { replicas: 3, template: slow }));
  await cluster.until(`${SETS}/one`, ({ status }) => expect(status.replicas).toBe(1));
  const parallel = template("all", {}, { "simulation.celadon.dev/ready-after": "never" });
  await cluster.create(SETS, workload("all", { replicas: 3, template: parallel, podManagementPolicy: "Parallel" }));
  await cluster.until(`${SETS}/all`, ({ status }) =>
    expect(status).toMatchObject({ replicas: 3, availableReplicas: 0 }),
  );
  expect(names(await podsOf("one"))).toEqual(["one-0"]);
});

test("an update goes from the last pod to the partition", async () => {
  const updateStrategy = { type: "RollingUpdate", rollingUpdate: { partition: 1 } };
  await cluster.create(SETS, workload("part", { replicas: 3, updateStrategy }));
  const { status } = await cluster.until(`${SETS}/part`, (set) => expect(set.status.availableReplicas).toBe(3));
  await cluster.patch(`${SETS}/part`, change);
  const half = await cluster.until(`${SETS}/part`, (set) =>
    expect(set.status).toMatchObject({ updatedReplicas: 2, currentReplicas: 1, readyReplicas: 3 }),
  );
  expect(half.status.currentRevision).toBe(status.currentRevision);
  expect((await podsOf("part")).map(({ spec }) => spec.containers[0].image)).toEqual(["i:1", "i:2", "i:2"]);
  // A pod below the partition comes back as it was.
  const [first] = await podsOf("part");
  await cluster.admin.call("DELETE", `${PODS}/part-0`);
  const again = await cluster.until(`${PODS}/part-0`, ({ metadata, status: { phase } = {} }) => {
    expect(metadata?.uid).toEqual(expect.any(String));
    expect(metadata.uid).not.toBe(first!.metadata.uid);
    expect(phase).toBe("Running");
  });
  expect(again.spec.containers[0].image).toBe("i:1");
  await cluster.patch(`${SETS}/part`, { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
  await cluster.until(`${SETS}/part`, (set) => {
    expect(set.status).toMatchObject({ updatedReplicas: 3, currentReplicas: 3 });
    expect(set.status.currentRevision).toBe(set.status.updateRevision);
  });
});

test("with OnDelete a pod changes when it is deleted", async () => {
  await cluster.create(SETS, workload("manual", { replicas: 2, updateStrategy: { type: "OnDelete" } }));
  await cluster.until(`${SETS}/manual`, ({ status }) => expect(status.availableReplicas).toBe(2));
  await cluster.patch(`${SETS}/manual`, change);
  await cluster.until(`${SETS}/manual`, ({ metadata, status }) => {
    expect(status.observedGeneration).toBe(metadata.generation);
    expect(status.updatedReplicas).toBeUndefined();
  });
  await cluster.admin.call("DELETE", `${PODS}/manual-1`);
  await cluster.until(`${SETS}/manual`, ({ status }) =>
    expect(status).toMatchObject({ updatedReplicas: 1, readyReplicas: 2 }),
  );
  expect((await podsOf("manual")).map(({ spec }) => spec.containers[0].image)).toEqual(["i:1", "i:2"]);
});

test("every pod has a claim, which is kept or goes as the set says", async () => {
  await cluster.create("/apis/storage.k8s.io/v1/storageclasses", {
    metadata: { name: "disk" },
    provisioner: "disk.example.com",
  });
  const claim = {
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], storageClassName: "disk", resources: { requests: { storage: "1Gi" } } },
  };
  const persistentVolumeClaimRetentionPolicy = { whenScaled: "Delete", whenDeleted: "Retain" };
  await cluster.create(
    SETS,
    workload("vol", { replicas: 2, volumeClaimTemplates: [claim], persistentVolumeClaimRetentionPolicy }),
  );
  await cluster.until(`${SETS}/vol`, ({ status }) => expect(status.availableReplicas).toBe(2));
  const claims = await cluster.list(CLAIMS);
  expect(claims.map(({ metadata, status }) => [metadata.name, metadata.labels.app, status.phase])).toEqual([
    ["data-vol-0", "vol", "Bound"],
    ["data-vol-1", "vol", "Bound"],
  ]);
  expect((await podsOf("vol"))[1]!.spec.volumes[0].persistentVolumeClaim.claimName).toBe("data-vol-1");
  await cluster.patch(`${SETS}/vol`, { spec: { replicas: 1 } });
  await cluster.until(CLAIMS, ({ items }) => expect(names(items)).toEqual(["data-vol-0"]));
});
