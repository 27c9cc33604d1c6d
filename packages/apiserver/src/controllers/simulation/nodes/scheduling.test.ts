// Nodes, the scheduler, kubelets and volumes: from a pod's creation to its end.

import { afterAll, beforeAll, expect, test } from "vitest";
import { isUsable, NODES, PODS, type Read, type Simulated, simulated } from "../simulation.testing.ts";

const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const VOLUMES = "/api/v1/persistentvolumes";

let cluster: Simulated;
beforeAll(async () => {
  cluster = await simulated();
  await cluster.create(NODES, {
    metadata: { name: "a", labels: { zone: "x", size: "3" } },
    status: { capacity: { cpu: "2" }, allocatable: { cpu: "2" } },
  });
  await cluster.create(NODES, {
    metadata: { name: "b", labels: { zone: "y" } },
    spec: { taints: [{ key: "only", value: "db", effect: "NoSchedule" }] },
  });
  await cluster.until(`${NODES}/a`, isUsable);
  await cluster.until(`${NODES}/b`, ({ spec, status }) => {
    expect(spec.taints).toHaveLength(1);
    expect(status.conditions?.find(({ type }: Read) => type === "Ready")?.status).toBe("True");
  });
});
afterAll(() => cluster.close());

const pod = (name: string, spec: object = {}, metadata: object = {}): Read => ({
  metadata: { name, ...metadata },
  spec: { containers: [{ name: "c", image: "i" }], ...spec },
});
const is =
  (phase: string) =>
  ({ status }: Read): void =>
    expect(status.phase).toBe(phase);
const isReady = ({ status }: Read): void =>
  expect(status.conditions.find(({ type }: Read) => type === "Ready")?.status).toBe("True");
const refusal = async (name: string, message: string): Promise<void> => {
  await cluster.until(`${PODS}/${name}`, ({ status }) =>
    expect(status.conditions).toMatchObject([
      { type: "PodScheduled", status: "False", reason: "Unschedulable", message },
    ]),
  );
};
/** The message that counts nodes by reason, sorted by text with the counts in front. */
const unavailable = (reasons: Readonly<Record<string, number>>): string => {
  const all = Object.values(reasons).reduce((sum, nodes) => sum + nodes);
  const parts = Object.entries(reasons).flatMap(([reason, nodes]) => (nodes === 0 ? [] : `${nodes} ${reason}`));
  return `0/${all} nodes are available: ${parts.sort().join(", ")}.`;
};
const place = async (name: string): Promise<string> =>
  (await cluster.until(`${PODS}/${name}`, is("Running"))).spec.nodeName;
const requests = (cpu: string): object => ({
  containers: [{ name: "c", image: "i", resources: { requests: { cpu } } }],
});

test("nodes are ready, with the resources of their status or those of a large machine", async () => {
  const node = await cluster.until(`${NODES}/a`, isUsable);
  expect(node.status.allocatable).toMatchObject({ cpu: "2", memory: "256Gi", pods: "110" });
  expect(node.metadata.labels).toMatchObject({ zone: "x", "kubernetes.io/hostname": "a" });
});

test("a pod runs, and goes when it is deleted", async () => {
  await cluster.create(PODS, pod("p", { initContainers: [{ name: "i", image: "i" }] }));
  const { status, metadata } = await cluster.until(`${PODS}/p`, isReady);
  expect(status).toMatchObject({
    phase: "Running",
    observedGeneration: metadata.generation,
    podIP: expect.stringMatching(/^10\.244\./),
    hostIP: expect.any(String),
    containerStatuses: [{ name: "c", ready: true, started: true, restartCount: 0, state: { running: {} } }],
    initContainerStatuses: [{ name: "i", state: { terminated: { exitCode: 0, reason: "Completed" } } }],
  });
  await cluster.admin.call("DELETE", `${PODS}/p`);
  await cluster.until(`${PODS}/p`, ({ code }) => expect(code).toBe(404));
});

test("annotations say how a pod fares", async () => {
  const annotated = (name: string, annotations: Readonly<Record<string, string>>, spec: object = {}): Read =>
    pod(name, spec, {
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [`simulation.celadon.dev/${key}`, value]),
      ),
    });
  await cluster.create(PODS, annotated("slow", { "ready-after": "300ms" }));
  await cluster.create(PODS, annotated("unready", { "ready-after": "never" }));
  await cluster.create(PODS, annotated("ends", { "exit-code": "0" }, { restartPolicy: "Never" }));
  await cluster.create(PODS, annotated("fails", { "exit-code": "7" }, { restartPolicy: "OnFailure" }));
  await cluster.create(
    PODS,
    annotated("lost", { "exit-code": "7", "exit-after": "100ms" }, { restartPolicy: "Never" }),
  );
  await cluster.create(PODS, annotated("known", { address: "192.0.2.7" }));
  const waiting = await cluster.until(`${PODS}/unready`, is("Running"));
  expect(waiting.status.conditions.find(({ type }: Read) => type === "Ready")).toMatchObject({
    status: "False",
    reason: "ContainersNotReady",
    message: "containers with unready status: [c]",
  });
  await cluster.until(`${PODS}/ends`, is("Succeeded"));
  const crashed = await cluster.until(`${PODS}/fails`, ({ status }) =>
    expect(status.containerStatuses?.[0]).toMatchObject({
      state: { waiting: { reason: "CrashLoopBackOff" } },
      lastState: { terminated: { exitCode: 7, reason: "Error" } },
    }),
  );
  expect(crashed.status.containerStatuses[0].restartCount).toBeGreaterThan(0);
  await cluster.until(`${PODS}/lost`, is("Failed"));
  expect((await cluster.until(`${PODS}/known`, is("Running"))).status.podIP).toBe("192.0.2.7");
  await cluster.until(`${PODS}/slow`, isReady);
});

test("readiness gates are waited for", async () => {
  await cluster.create(PODS, pod("gated", { readinessGates: [{ conditionType: "example.com/ok" }] }));
  await cluster.until(`${PODS}/gated`, is("Running"));
  await cluster.patch(`${PODS}/gated/status`, { status: { conditions: [{ type: "example.com/ok", status: "True" }] } });
  await cluster.until(`${PODS}/gated`, isReady);
});

test("pods go to nodes that they select and tolerate, and that have room", async () => {
  const affinity = (key: string, operator: string, values: readonly string[]): object => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values }] }],
        },
      },
    },
  });
  const tolerations = [{ key: "only", operator: "Equal", value: "db", effect: "NoSchedule" }];
  await cluster.create(PODS, pod("selects", { nodeSelector: { zone: "x" } }));
  await cluster.create(PODS, pod("greater", affinity("size", "Gt", ["2"])));
  await cluster.create(PODS, pod("tolerates", { ...affinity("zone", "In", ["y"]), tolerations }));
  expect([await place("selects"), await place("greater"), await place("tolerates")]).toEqual(["a", "a", "b"]);
  const all = (await cluster.list(NODES)).length;
  await cluster.create(PODS, pod("intolerant", affinity("zone", "In", ["y"])));
  await refusal(
    "intolerant",
    unavailable({
      "node(s) had untolerated taint(s)": 1,
      "node(s) didn't match Pod's node affinity/selector": all - 1,
    }),
  );
  await cluster.create(PODS, pod("most", { nodeSelector: { zone: "x" }, ...requests("1500m") }));
  await place("most");
  await cluster.create(PODS, pod("waits", { nodeSelector: { zone: "x" }, ...requests("1") }));
  await refusal(
    "waits",
    unavailable({
      "Insufficient cpu": 1,
      "node(s) had untolerated taint(s)": 1,
      "node(s) didn't match Pod's node affinity/selector": all - 2,
    }),
  );
  await cluster.admin.call("DELETE", `${PODS}/most`);
  expect(await place("waits")).toBe("a");
});

test("pods keep away from each other, stay together, and spread", async () => {
  const tolerations = [{ operator: "Exists" }];
  const term = (app: string): object[] => [{ topologyKey: "zone", labelSelector: { matchLabels: { app } } }];
  const zoned = { nodeSelector: { "kubernetes.io/os": "linux" }, tolerations };
  const alone = {
    ...zoned,
    affinity: {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: term("alone") },
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "Exists" }] }],
        },
      },
    },
  };
  for (const name of ["alone-1", "alone-2", "alone-3"])
    await cluster.create(PODS, pod(name, alone, { labels: { app: "alone" } }));
  await cluster.until(`${PODS}?labelSelector=app%3Dalone`, ({ items }) => {
    const places = items.map(({ spec }: Read) => spec.nodeName ?? "").sort();
    expect(places).toEqual(["", "a", "b"]);
    const { status } = items.find(({ spec }: Read) => spec.nodeName === undefined);
    expect(status.conditions?.[0].message).toContain("2 node(s) didn't satisfy existing pods anti-affinity rules");
  });
  const near = {
    ...zoned,
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: term("near") } },
  };
  await cluster.create(PODS, pod("near-1", near, { labels: { app: "near" } }));
  const zone = await place("near-1");
  for (const name of ["near-2", "near-3"]) {
    await cluster.create(PODS, pod(name, near, { labels: { app: "near" } }));
    expect(await place(name)).toBe(zone);
  }
  const spread = {
    ...zoned,
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "zone",
        whenUnsatisfiable: "DoNotSchedule",
        labelSelector: { matchLabels: { app: "spread" } },
      },
    ],
  };
  const places = new Map<string, number>();
  for (let i = 0; i < 4; i++) {
    await cluster.create(PODS, pod(`spread-${i}`, spread, { labels: { app: "spread" } }));
    const at = await place(`spread-${i}`);
    places.set(at, (places.get(at) ?? 0) + 1);
  }
  expect([...places].sort()).toEqual([
    ["a", 2],
    ["b", 2],
  ]);
});

const claim = (name: string, spec: object = {}): Read => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], storageClassName: "", resources: { requests: { storage: "2Gi" } }, ...spec },
});

test("claims get the smallest volume that fits, or one that is made for them", async () => {
  const volume = (name: string, storage: string): object => ({
    metadata: { name },
    spec: {
      capacity: { storage },
      accessModes: ["ReadWriteOnce"],
      hostPath: { path: "/x" },
      persistentVolumeReclaimPolicy: "Retain",
      storageClassName: "",
    },
  });
  for (const [name, size] of [
    ["v1", "1Gi"],
    ["v9", "9Gi"],
    ["v3", "3Gi"],
  ] as const)
    await cluster.create(VOLUMES, volume(name, size));
  for (const name of ["v1", "v9", "v3"]) await cluster.until(`${VOLUMES}/${name}`, is("Available"));
  await cluster.create(CLAIMS, claim("static"));
  const bound = await cluster.until(`${CLAIMS}/static`, is("Bound"));
  expect(bound).toMatchObject({
    spec: { volumeName: "v3" },
    status: { capacity: { storage: "3Gi" } },
    metadata: { annotations: { "pv.kubernetes.io/bind-completed": "yes" } },
  });
  await cluster.until(`${VOLUMES}/v3`, is("Bound"));
  await cluster.admin.call("DELETE", `${CLAIMS}/static`);
  await cluster.until(`${VOLUMES}/v3`, is("Released"));

  const classes = "/apis/storage.k8s.io/v1/storageclasses";
  await cluster.create(classes, { metadata: { name: "now" }, provisioner: "example.com/disk" });
  await cluster.create(classes, {
    metadata: { name: "later" },
    provisioner: "disk.example.com",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  await cluster.create(CLAIMS, claim("made", { storageClassName: "now" }));
  await cluster.create(CLAIMS, claim("late", { storageClassName: "later" }));
  const made = await cluster.until(`${CLAIMS}/made`, is("Bound"));
  expect(made.spec.volumeName).toBe(`pvc-${made.metadata.uid}`);
  expect((await cluster.get(`${CLAIMS}/late`)).status.phase).toBe("Pending");
  const uses = (claimName: string): object => ({ volumes: [{ name: "v", persistentVolumeClaim: { claimName } }] });
  await cluster.create(PODS, pod("user", uses("late")));
  await place("user");
  expect((await cluster.get(`${CLAIMS}/late`)).status.phase).toBe("Bound");
  await cluster.admin.call("DELETE", `${CLAIMS}/made`);
  await cluster.until(`${VOLUMES}/${made.spec.volumeName}`, ({ code }) => expect(code).toBe(404));
  await cluster.create(PODS, pod("lacks", uses("none")));
  await refusal("lacks", 'persistentvolumeclaim "none" not found');
});
