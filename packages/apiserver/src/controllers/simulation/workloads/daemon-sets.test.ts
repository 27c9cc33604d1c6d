import { afterAll, beforeAll, expect, test } from "vitest";
import {
  isUsable,
  NODES,
  PODS,
  type Read,
  type Simulated,
  simulated,
  template,
  workload,
} from "../simulation.testing.ts";

const SETS = "/apis/apps/v1/namespaces/default/daemonsets";

let cluster: Simulated;
beforeAll(async () => {
  cluster = await simulated();
  await cluster.create(NODES, { metadata: { name: "a", labels: { disk: "fast" } } });
  await cluster.create(NODES, { metadata: { name: "b" } });
  await cluster.until(NODES, ({ items }) => {
    expect(items).toHaveLength(3);
    for (const node of items) isUsable(node);
  });
});
afterAll(() => cluster.close());

const nodesOf = async (app: string): Promise<readonly string[]> =>
  (await cluster.list(`${PODS}?labelSelector=app%3D${app}`)).map(({ spec }) => spec.nodeName).sort();

test("every node that is selected has one pod, a cordoned one too", async () => {
  const count = (await cluster.list(NODES)).length;
  await cluster.create(SETS, workload("all", {}));
  await cluster.until(`${SETS}/all`, ({ status }) =>
    expect(status).toMatchObject({
      desiredNumberScheduled: count,
      currentNumberScheduled: count,
      numberAvailable: count,
      numberMisscheduled: 0,
    }),
  );
  await cluster.create(SETS, workload("fast", { template: template("fast", { nodeSelector: { disk: "fast" } }) }));
  await cluster.until(`${SETS}/fast`, ({ status }) => expect(status.numberReady).toBe(1));
  expect(await nodesOf("fast")).toEqual(["a"]);
  await cluster.patch(`${NODES}/b`, { metadata: { labels: { disk: "fast" } }, spec: { unschedulable: true } });
  await cluster.until(`${SETS}/fast`, ({ status }) => expect(status.numberReady).toBe(2));
  await cluster.patch(`${NODES}/b`, { metadata: { labels: { disk: null } } });
  await cluster.until(`${SETS}/fast`, ({ status }) => expect(status.desiredNumberScheduled).toBe(1));
  await cluster.until(`${PODS}?labelSelector=app%3Dfast`, ({ items }) => expect(items).toHaveLength(1));
  await cluster.patch(`${NODES}/b`, { spec: { unschedulable: null } });
});

test("a failed pod is replaced", async () => {
  await cluster.create(
    SETS,
    workload("failing", { template: template("failing", { nodeSelector: { disk: "fast" } }) }),
  );
  await cluster.until(`${SETS}/failing`, ({ status }) => expect(status.numberReady).toBe(1));
  const [pod] = await cluster.list(`${PODS}?labelSelector=app%3Dfailing`);
  await cluster.patch(`${PODS}/${pod.metadata.name}/status`, { status: { phase: "Failed" } });
  await cluster.until(`${PODS}?labelSelector=app%3Dfailing`, ({ items }) => {
    expect(items.map(({ status }: Read) => status.phase)).toEqual(["Running"]);
    expect(items[0].metadata.name).not.toBe(pod.metadata.name);
  });
});

test.each([
  ["rolling", { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } }],
  ["surging", { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }],
])("a change goes node by node: %s", async (name, updateStrategy) => {
  await cluster.create(SETS, workload(name, { updateStrategy }));
  const { status } = await cluster.until(`${SETS}/${name}`, (set) => {
    expect(set.status.desiredNumberScheduled).toBeGreaterThan(1);
    expect(set.status.numberAvailable).toBe(set.status.desiredNumberScheduled);
  });
  await cluster.patch(`${SETS}/${name}`, {
    spec: { template: { spec: { containers: [{ name: "c", image: "i:2" }] } } },
  });
  await cluster.until(`${SETS}/${name}`, (set) => {
    expect(set.status.observedGeneration).toBe(set.metadata.generation);
    expect(set.status).toMatchObject({
      updatedNumberScheduled: status.desiredNumberScheduled,
      numberAvailable: status.desiredNumberScheduled,
    });
  });
  await cluster.until(`${PODS}?labelSelector=app%3D${name}`, ({ items }) => {
    expect(items).toHaveLength(status.desiredNumberScheduled);
    for (const { spec } of items) expect(spec.containers[0].image).toBe("i:2");
  });
  const revisions = await cluster.list(
    `/apis/apps/v1/namespaces/default/controllerrevisions?labelSelector=app%3D${name}`,
  );
  expect(revisions.map(({ revision }) => revision).sort()).toEqual([1, 2]);
});

test("with OnDelete a pod changes when it is deleted", async () => {
  await cluster.create(
    SETS,
    workload("manual", {
      updateStrategy: { type: "OnDelete" },
      template: template("manual", { nodeSelector: { disk: "fast" } }),
    }),
  );
  await cluster.until(`${SETS}/manual`, ({ status }) => expect(status.numberReady).toBe(1));
  const [pod] = await cluster.list(`${PODS}?labelSelector=app%3Dmanual`);
  await cluster.patch(`${SETS}/manual`, {
    spec: { template: { spec: { containers: [{ name: "c", image: "i:2" }] } } },
  });
  await cluster.until(`${SETS}/manual`, (set) => expect(set.status.observedGeneration).toBe(set.metadata.generation));
  expect((await cluster.get(`${PODS}/${pod.metadata.name}`)).spec.containers[0].image).toBe("i:1");
  await cluster.admin.call("DELETE", `${PODS}/${pod.metadata.name}`);
  await cluster.until(`${PODS}?labelSelector=app%3Dmanual`, ({ items }) =>
    expect(items.map(({ spec }: Read) => spec.containers[0].image)).toEqual(["i:2"]),
  );
});
