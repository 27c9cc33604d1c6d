// The rights of a kubelet, through the authorizer and the restrictions of admission.

import { beforeAll, expect, test } from "vitest";
import { LocalClient } from "../client/local-client.ts";
import { type TestServer, testServer } from "../server.testing.ts";

let running: TestServer;
let node: LocalClient;
let uid = "";

const V1 = "/api/v1";
const NS = `${V1}/namespaces/default`;
const pod = (name: string, nodeName: string | undefined, spec: object = {}, metadata: object = {}): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, ...metadata },
  spec: { ...(nodeName && { nodeName }), containers: [{ name: "a", image: "i" }], ...spec },
});

beforeAll(async () => {
  running = await testServer();
  const { admin, server } = running;
  node = new LocalClient(server, { username: "system:node:one", groups: ["system:nodes", "system:authenticated"] });
  const create = async (path: string, body: object) => {
    const reply = await admin.call("POST", path, { body });
    expect([path, reply.code, reply.code === 201 ? "" : reply.text]).toEqual([path, 201, ""]);
    return reply.json();
  };
  for (const name of ["one", "two"]) {
    const made = await create(`${V1}/nodes`, { apiVersion: "v1", kind: "Node", metadata: { name } });
    if (name === "one") uid = made.metadata.uid;
  }
  for (const name of ["mine", "env", "pull", "other", "of-volume"]) {
    await create(`${NS}/secrets`, { apiVersion: "v1", kind: "Secret", metadata: { name } });
    await create(`${NS}/configmaps`, { apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
  }
  const claim = (name: string): object => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });
  for (const name of ["data", "elsewhere"]) await create(`${NS}/persistentvolumeclaims`, claim(name));
  await create(`${V1}/persistentvolumes`, {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "disk" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      claimRef: { namespace: "default", name: "data" },
      csi: { driver: "d", volumeHandle: "h", nodePublishSecretRef: { namespace: "default", name: "of-volume" } },
    },
  });
  const env = [
    { name: "A", valueFrom: { secretKeyRef: { name: "env", key: "k" } } },
    { name: "B", valueFrom: { configMapKeyRef: { name: "env", key: "k" } } },
  ];
  await create(
    `${NS}/pods`,
    pod("here", "one", {
      containers: [{ name: "a", image: "i", env }],
      imagePullSecrets: [{ name: "pull" }],
      volumes: [
        { name: "s", secret: { secretName: "mine" } },
        { name: "c", configMap: { name: "mine" } },
        { name: "d", persistentVolumeClaim: { claimName: "data" } },
      ],
    }),
  );
  await create(`${NS}/pods`, pod("there", "two", { volumes: [{ name: "s", secret: { secretName: "other" } }] }));
  return () => server.close();
});

const NONE = "no relationship found between node 'one' and this object";
const READS = "can only read resources of this type";

// biome-ignore format: one case per line
const cases: readonly (readonly [method: string, path: string, code: number, reason?: string])[] = [
  ["GET",    `${NS}/secrets/mine`,                        200],
  ["GET",    `${NS}/secrets/env`,                         200],
  ["GET",    `${NS}/secrets/pull`,                        200],
  ["GET",    `${NS}/secrets/of-volume`,                   200],
  ["GET",    `${NS}/secrets/other`,                       403, NONE],
  ["GET",    `${NS}/secrets/absent`,                      403, NONE],
  ["GET",    `${NS}/secrets?fieldSelector=metadata.name%3Dmine`, 200],
  ["GET",    `${NS}/secrets`,                             403, "No Object name found"],
  ["GET",    `${V1}/secrets`,                             403, "can only read namespaced object of this type"],
  ["DELETE", `${NS}/secrets/mine`,                        403, READS],
  ["GET",    `${NS}/configmaps/mine`,                     200],
  ["GET",    `${NS}/configmaps/env`,                      200],
  ["GET",    `${NS}/configmaps/other`,                    403, NONE],
  ["GET",    `${NS}/persistentvolumeclaims/data`,         200],
  ["GET",    `${NS}/persistentvolumeclaims/elsewhere`,    403, NONE],
  ["GET",    `${NS}/persistentvolumeclaims`,              403, "can only get individual resources of this type"],
  ["GET",    `${V1}/persistentvolumes/disk`,              200],
  ["GET",    `${V1}/nodes/one`,                           200],
  ["GET",    `${V1}/nodes/two`,                           403, "node 'one' cannot read 'two', only its own Node object"],
  ["GET",    `${V1}/nodes`,                               403, "node 'one' cannot read all nodes, only its own Node object"],
  ["DELETE", `${V1}/nodes/one`,                           403],
  ["GET",    `${NS}/pods/here`,                           200],
  ["GET",    `${NS}/pods/there`,                          403, NONE],
  ["GET",    `${NS}/pods`,                                403, "can only list/watch pods with spec.nodeName field selector"],
  ["GET",    `${V1}/pods?fieldSelector=spec.nodeName%3Done`, 200],
  ["GET",    `${V1}/pods?fieldSelector=spec.nodeName%3Dtwo`, 403, "can only list/watch pods with spec.nodeName field selector"],
  ["GET",    `${NS}/serviceaccounts/default`,             200],
  ["GET",    `${NS}/serviceaccounts`,                     403, "can only create tokens for individual service accounts"],
  ["GET",    `${V1}/services`,                            200],
  ["GET",    "/apis/node.k8s.io/v1/runtimeclasses",       200],
  ["GET",    "/apis/apps/v1/deployments",                 403],
  ["GET",    "/apis/coordination.k8s.io/v1/namespaces/default/leases/one",         403, 'can only access leases in the "kube-node-lease" system namespace'],
  ["GET",    "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/two", 403, "can only access node lease with the same name as the requesting node"],
  ["GET",    "/apis/storage.k8s.io/v1/csinodes",          403, "can only get, create, update, patch, or delete a CSINode"],
];

test.each(cases.map((testCase) => ({ row: testCase, what: testCase.slice(0, 3).join(" ") })))(
  "$what",
  async ({ row }) => {
    const [method, path, code, reason] = row;
    const reply = await node.call(method, path);
    expect(reply.code, reply.text).toBe(code);
    if (reason !== undefined) expect(reply.json().message.split(": ").slice(2).join(": ")).toBe(reason);
  },
);

const lease = (name: string): object => ({ apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name } });
const nodeObject = (name: string, labels: object = {}): object => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name, labels },
});
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
const MIRROR = { annotations: { "kubernetes.io/config.mirror": "x" } };
const owner = () => ({ apiVersion: "v1", kind: "Node", name: "one", uid, controller: true });
const token = (boundObjectRef: object, audiences: readonly string[] = []): object => ({
  apiVersion: "authentication.k8s.io/v1",
  kind: "TokenRequest",
  spec: { boundObjectRef, audiences },
});

// biome-ignore format: one case per line
const writes: readonly (readonly [what: string, method: string, path: string, body: () => object, code: number, reason?: string])[] = [
  ["its lease",              "POST",  LEASES,                () => lease("one"),                    201],
  ["another's lease",        "POST",  LEASES,                () => lease("two"),                    403, "can only access node lease with the same name as the requesting node"],
  ["another node",           "POST",  `${V1}/nodes`,         () => nodeObject("three"),             403, 'node "one" is not allowed to modify node "three"'],
  ["labels of its own",      "PATCH", `${V1}/nodes/one`,     () => ({ metadata: { labels: { "example.com/x": "y", "topology.kubernetes.io/zone": "z" } } }), 200],
  ["labels that steer",      "PATCH", `${V1}/nodes/one`,     () => ({ metadata: { labels: { "node-restriction.kubernetes.io/x": "y", "node-role.kubernetes.io/master": "" } } }), 403, "is not allowed to modify labels: node-restriction.kubernetes.io/x, node-role.kubernetes.io/master"],
  ["taints",                 "PATCH", `${V1}/nodes/one`,     () => ({ spec: { taints: [] } }),      403, 'node "one" is not allowed to modify taints'],
  ["its status",             "PATCH", `${V1}/nodes/one/status`, () => ({ status: { capacity: { cpu: "1" } } }), 200],
  ["another's status",       "PATCH", `${V1}/nodes/two/status`, () => ({ status: { capacity: { cpu: "1" } } }), 403, 'node "one" is not allowed to modify node "two"'],
  ["a pod",                  "POST",  `${NS}/pods`,          () => pod("p", "one"),                 403, 'pod does not have "kubernetes.io/config.mirror" annotation, node "one" can only create mirror pods'],
  ["a mirror pod elsewhere", "POST",  `${NS}/pods`,          () => pod("p", "two", {}, MIRROR),     403, 'node "one" can only create pods with spec.nodeName set to itself'],
  ["a mirror pod of nobody", "POST",  `${NS}/pods`,          () => pod("p", "one", {}, MIRROR),     403, 'node "one" can only create pods with an owner reference set to itself'],
  ["a mirror pod",           "POST",  `${NS}/pods`,          () => pod("p", "one", { automountServiceAccountToken: false }, { ...MIRROR, ownerReferences: [owner()] }), 201],
  ["a status of its pod",    "PATCH", `${NS}/pods/here/status`, () => ({ status: { phase: "Running" } }), 200],
  ["labels by a status",     "PATCH", `${NS}/pods/here/status`, () => ({ metadata: { labels: { a: "b" } } }), 403, 'node "one" cannot update labels through pod status'],
  ["a status elsewhere",     "PATCH", `${NS}/pods/there/status`, () => ({ status: { phase: "Running" } }), 403, 'node "one" can only update pod status for pods with spec.nodeName set to itself'],
  ["a token of nothing",     "POST",  `${NS}/serviceaccounts/default/token`, () => token({ kind: "Pod", apiVersion: "v1" }), 403, "node requested token not bound to a pod"],
  ["a token without a uid",  "POST",  `${NS}/serviceaccounts/default/token`, () => token({ kind: "Pod", apiVersion: "v1", name: "here" }), 403, "node requested token with a pod binding without a uid"],
];

test.each(writes.map((write) => ({ row: write, what: write[0] })))("a node and $what", async ({ row }) => {
  const [, method, path, body, code, reason] = row;
  const type = "application/merge-patch+json";
  const reply = await node.call(method, path, { body: body(), ...(method === "PATCH" && { type }) });
  expect(reply.code, reply.text).toBe(code);
  if (reason !== undefined) expect(reply.json().message).toContain(`is forbidden: ${reason}`);
});

test("tokens for pods of the node, for audiences their volumes name", async () => {
  const { admin } = running;
  const path = `${NS}/serviceaccounts/default/token`;
  const ref = async (name: string): Promise<object> => {
    const { metadata } = (await admin.call("GET", `${NS}/pods/${name}`)).json();
    return { kind: "Pod", apiVersion: "v1", name, uid: metadata.uid };
  };
  const own = await node.call("POST", path, { body: token(await ref("here")) });
  expect(own.code, own.text).toBe(201);
  const elsewhere = await node.call("POST", path, { body: token(await ref("there")) });
  expect(elsewhere.json().message).toContain("node requested token bound to a pod scheduled on a different node");
  const vault = await node.call("POST", path, { body: token(await ref("here"), ["vault"]) });
  expect(vault.json().message).toContain('system:node:one is not authorized to request tokens for audience "vault"');
});

test("pods that leave the node take their rights along", async () => {
  const { admin } = running;
  const spec = { volumes: [{ name: "s", secret: { secretName: "other" } }], terminationGracePeriodSeconds: 0 };
  await admin.call("POST", `${NS}/pods`, { body: pod("late", "one", spec) });
  expect((await node.call("GET", `${NS}/secrets/other`)).code).toBe(200);
  await admin.call("DELETE", `${NS}/pods/late?gracePeriodSeconds=0`);
  expect((await node.call("GET", `${NS}/secrets/other`)).code).toBe(403);
});
