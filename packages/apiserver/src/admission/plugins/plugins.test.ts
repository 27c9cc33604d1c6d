import { execFileSync } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import { LocalClient, type Reply } from "../../client/local-client.ts";
import { type TestServer, testServer } from "../../server.testing.ts";

let running: TestServer;
beforeAll(async () => {
  running = await testServer();
  return () => running.server.close();
});

const post = (path: string, body: unknown): Promise<Reply> => running.admin.call("POST", path, { body });
const PODS = "/api/v1/namespaces/default/pods";
const pod = (name: string, spec: object = {}, metadata: object = {}): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, ...metadata },
  spec: { containers: [{ name: "a", image: "i" }], ...spec },
});
const resources = (requests: object, limits: object = {}): object => ({
  containers: [{ name: "a", image: "i", resources: { requests, limits } }],
});

test("a pod gets a service account with its token, a priority and tolerations", async () => {
  const { spec } = (await post(PODS, pod("plain"))).json();
  expect(spec).toMatchObject({
    serviceAccountName: "default",
    serviceAccount: "default",
    priority: 0,
    preemptionPolicy: "PreemptLowerPriority",
  });
  expect(spec.tolerations.map(({ key }: { key: string }) => key)).toEqual([
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/unreachable",
  ]);
  const [volume] = spec.volumes;
  expect(volume.name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
  expect(volume.projected.sources[0]).toEqual({ serviceAccountToken: { expirationSeconds: 3607, path: "token" } });
  expect(spec.containers[0].volumeMounts).toEqual([
    { name: volume.name, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" },
  ]);
  const without = (await post(PODS, pod("without", { automountServiceAccountToken: false }))).json();
  expect(without.spec.volumes).toBeUndefined();
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: "fresh" } };
  await post("/api/v1/namespaces", body);
  expect((await post("/api/v1/namespaces/fresh/pods", pod("at-once"))).code).toBe(201);
});

// biome-ignore format: one case per line
const refusals: readonly (readonly [what: string, path: string, body: object, code: number, message: RegExp])[] = [
  ["unknown account", PODS, pod("p", { serviceAccountName: "nobody" }), 403, /^pods "p" is forbidden: error looking up service account default\/nobody: serviceaccount "nobody" not found$/],
  ["unknown priority", PODS, pod("p", { priorityClassName: "high" }), 403, /^pods "p" is forbidden: no PriorityClass with name high was found$/],
  ["a priority of one's own", PODS, pod("p", { priority: 7 }), 403, /the integer value of priority \(7\) must not be provided in pod spec; priority admission controller computed 0/],
  ["unknown runtime class", PODS, pod("p", { runtimeClassName: "none" }), 403, /^pods "p" is forbidden: pod rejected: RuntimeClass "none" not found$/],
  ["overhead without a class", PODS, pod("p", { overhead: { cpu: "1" } }), 403, /Pod Overhead set without corresponding RuntimeClass defined Overhead/],
  ["a mirror pod with an account", PODS, pod("p", { serviceAccountName: "default" }, { annotations: { "kubernetes.io/config.mirror": "x" } }), 403, /a mirror pod may not reference service accounts/],
];

test.each(refusals)("%s is refused", async (_, path, body, code, message) => {
  const reply = await post(path, body);
  expect([reply.code, reply.json().message]).toEqual([code, expect.stringMatching(message)]);
});

test("classes: priority, runtime, storage and ingress", async () => {
  const { admin } = running;
  const priorities = "/apis/scheduling.k8s.io/v1/priorityclasses";
  const priorityClass = (name: string, more: object): object => ({
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name },
    ...more,
  });
  expect((await post(priorities, priorityClass("first", { value: 5, globalDefault: true }))).code).toBe(201);
  const second = await post(priorities, priorityClass("second", { value: 9, globalDefault: true }));
  expect(second.json().message).toContain(
    "PriorityClass first is already marked as default. Only one default can exist",
  );
  expect((await post(PODS, pod("defaulted"))).json().spec).toMatchObject({ priorityClassName: "first", priority: 5 });
  await admin.call("DELETE", `${priorities}/first`);

  await post("/apis/node.k8s.io/v1/runtimeclasses", {
    apiVersion: "node.k8s.io/v1",
    kind: "RuntimeClass",
    metadata: { name: "vm" },
    handler: "vm",
    overhead: { podFixed: { cpu: "100m" } },
    scheduling: { nodeSelector: { vm: "yes" }, tolerations: [{ key: "vm", operator: "Exists" }] },
  });
  const running1 = (await post(PODS, pod("vm", { runtimeClassName: "vm" }))).json().spec;
  expect(running1).toMatchObject({ overhead: { cpu: "100m" }, nodeSelector: { vm: "yes" } });
  expect(running1.tolerations).toContainEqual({ key: "vm", operator: "Exists" });
  const conflict = await post(PODS, pod("vm2", { runtimeClassName: "vm", nodeSelector: { vm: "no" } }));
  expect(conflict.json().message).toContain(
    "conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no",
  );

  for (const [name, mark] of [
    ["slow", "false"],
    ["fast", "true"],
  ] as const) {
    await post("/apis/storage.k8s.io/v1/storageclasses", {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name, annotations: { "storageclass.kubernetes.io/is-default-class": mark } },
      provisioner: "example.com/disk",
    });
  }
  const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
  const claim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "c" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  expect((await post(claims, claim)).json()).toMatchObject({
    metadata: { finalizers: ["kubernetes.io/pvc-protection"] },
    spec: { storageClassName: "fast" },
  });
  await admin.call("PATCH", `${claims}/c/status`, {
    type: "application/merge-patch+json",
    body: { status: { phase: "Bound" } },
  });
  const grown = await admin.call("PATCH", `${claims}/c`, {
    type: "application/merge-patch+json",
    body: { spec: { resources: { requests: { storage: "2Gi" } } } },
  });
  expect(grown.json().message).toContain("only dynamically provisioned pvc can be resized and the storageclass");

  await post("/apis/networking.k8s.io/v1/ingressclasses", {
    apiVersion: "networking.k8s.io/v1",
    kind: "IngressClass",
    metadata: { name: "web", annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
    spec: { controller: "example.com/web" },
  });
  const ingress = await post("/apis/networking.k8s.io/v1/namespaces/default/ingresses", {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { name: "i" },
    spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
  });
  expect(ingress.json().spec.ingressClassName).toBe("web");
});

test("limit ranges complete containers and bound them", async () => {
  await post("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "limited" } });
  await post("/api/v1/namespaces/limited/limitranges", {
    apiVersion: "v1",
    kind: "LimitRange",
    metadata: { name: "l" },
    spec: {
      limits: [
        {
          type: "Container",
          default: { cpu: "200m" },
          defaultRequest: { cpu: "100m" },
          min: { cpu: "50m" },
          max: { cpu: "1" },
          maxLimitRequestRatio: { cpu: "4" },
        },
      ],
    },
  });
  const pods = "/api/v1/namespaces/limited/pods";
  const completed = (await post(pods, pod("p"))).json();
  expect(completed.spec.containers[0].resources).toEqual({ limits: { cpu: "200m" }, requests: { cpu: "100m" } });
  expect(completed.metadata.annotations).toEqual({
    "kubernetes.io/limit-ranger": "LimitRanger plugin set: cpu request for container a; cpu limit for container a",
  });
  const message = async (spec: object): Promise<string> => (await post(pods, pod("q", spec))).json().message;
  expect(await message(resources({ cpu: "10m" }, { cpu: "30m" }))).toBe(
    'pods "q" is forbidden: minimum cpu usage per Container is 50m, but request is 10m',
  );
  expect(await message(resources({ cpu: "100m" }, { cpu: "2" }))).toBe(
    'pods "q" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, cpu max limit to request ratio per Container is 4, but provided ratio is 20.000000]',
  );
});

test("nobody asks for a certificate of the administrators, and signers are for who may use them", async ({ skip }) => {
  let request: string;
  try {
    const args = [
      "req",
      "-new",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      "/dev/null",
      "-subj",
      "/O=system:masters/CN=me",
    ];
    request = execFileSync("openssl", args, { stdio: ["ignore", "pipe", "ignore"] }).toString("base64");
  } catch {
    skip("openssl is missing");
    return;
  }
  const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const body = (signerName: string) => ({
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name: "me" },
    spec: { request, signerName, usages: ["client auth"] },
  });
  const refused = await post(path, body("kubernetes.io/kube-apiserver-client"));
  expect(refused.json().message).toContain(
    "use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed",
  );
  expect((await post(path, body("example.com/own"))).code).toBe(201);
  const RBAC = "rbac.authorization.k8s.io";
  const rule = { apiGroups: ["certificates.k8s.io"], resources: ["certificatesigningrequests/approval"], verbs: ["*"] };
  const signers = {
    apiGroups: ["certificates.k8s.io"],
    resources: ["signers"],
    resourceNames: ["example.com/*"],
    verbs: ["approve"],
  };
  const roles = `/apis/${RBAC}/v1/clusterroles`;
  const role = (rules: readonly object[]) => ({
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRole",
    metadata: { name: "approver" },
    rules,
  });
  await post(roles, role([rule]));
  await post(`/apis/${RBAC}/v1/clusterrolebindings`, {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "approver" },
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: "approver" },
    subjects: [{ apiGroup: RBAC, kind: "User", name: "ann" }],
  });
  const ann = new LocalClient(running.server, { username: "ann", groups: ["system:authenticated"] });
  const approve = (): Promise<Reply> =>
    ann.call("PATCH", `${path}/me/approval`, {
      type: "application/merge-patch+json",
      body: { status: { conditions: [{ type: "Approved", status: "True", reason: "r", message: "m" }] } },
    });
  expect((await approve()).json().message).toContain(
    'user not permitted to approve requests with signerName "example.com/own"',
  );
  await running.admin.call("PUT", `${roles}/approver`, { body: role([rule, signers]) });
  expect((await approve()).code).toBe(200);
});
