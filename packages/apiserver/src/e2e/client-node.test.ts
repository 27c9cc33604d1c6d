// The client library of Node programs against a server that listens: objects, patches, apply, errors, informers.

import "./old-node.testing.ts";
import {
  ApiException,
  AppsV1Api,
  AuthorizationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  VersionApi,
} from "@kubernetes/client-node";
import { beforeAll, expect, test, vi } from "vitest";
import { startServer, type TestServer } from "../testing/index.ts";

let server: TestServer;
let config: KubeConfig;
let core: CoreV1Api;
beforeAll(async () => {
  server = await startServer();
  config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
  return () => server.close();
});

const namespace = "default";
const configMap = (name: string, data: Record<string, string> = {}): V1ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels: { app: "test" } },
  data,
});

test("objects are created, read, listed, replaced, patched and deleted", async () => {
  expect((await config.makeApiClient(VersionApi).getCode()).minor).toBe("37");
  const created = await core.createNamespacedConfigMap({ namespace, body: configMap("first", { a: "1" }) });
  expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
  const { items } = await core.listNamespacedConfigMap({ namespace, labelSelector: "app=test" });
  expect(items.map(({ metadata }) => metadata?.name)).toEqual(["first"]);
  const body = { ...created, data: { a: "2" } };
  const replaced = await core.replaceNamespacedConfigMap({ namespace, name: "first", body });
  expect(replaced.data).toEqual({ a: "2" });
  const patches = [
    [PatchStrategy.MergePatch, { data: { b: "3" } }, { a: "2", b: "3" }],
    [PatchStrategy.JsonPatch, [{ op: "remove", path: "/data/a" }], { b: "3" }],
    [PatchStrategy.StrategicMergePatch, { data: { c: "4" } }, { b: "3", c: "4" }],
  ] as const;
  for (const [type, patch, data] of patches) {
    const options = setHeaderOptions("Content-Type", type);
    const patched = await core.patchNamespacedConfigMap({ namespace, name: "first", body: patch }, options);
    expect(patched.data).toEqual(data);
  }
  await core.deleteNamespacedConfigMap({ namespace, name: "first" });
  await expect(core.readNamespacedConfigMap({ namespace, name: "first" })).rejects.toMatchObject({ code: 404 });
});

test("a refusal is an error with the Status of the server", async () => {
  const error = await core.createNamespacedConfigMap({ namespace, body: configMap("Not A Name") }).catch((e) => e);
  expect(error).toBeInstanceOf(ApiException);
  expect(error.code).toBe(422);
  expect(JSON.parse(error.body)).toMatchObject({ kind: "Status", reason: "Invalid", details: { kind: "ConfigMap" } });
  await server.apply(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-secrets-in-config}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations: [{expression: "!has(object.data) || !('password' in object.data)", message: passwords belong into a Secret}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-secrets-in-config}
spec: {policyName: no-secrets-in-config, validationActions: [Deny]}
`);
  const denied = await core
    .createNamespacedConfigMap({ namespace, body: configMap("secret", { password: "x" }) })
    .catch((e) => e);
  expect(JSON.parse(denied.body).message).toContain("denied request: passwords belong into a Secret");
});

test("generic objects: applied by a server that merges, with conflicts between managers", async () => {
  const objects = KubernetesObjectApi.makeApiClient(config);
  const deployment = (replicas: number) => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace },
    spec: {
      replicas,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "web", image: "web:1" }] },
      },
    },
  });
  const apply = (replicas: number, manager: string, force: boolean) =>
    objects.patch(deployment(replicas), undefined, undefined, manager, force, PatchStrategy.ServerSideApply);
  await apply(1, "one", false);
  const conflict = await apply(2, "two", false).catch((e) => e);
  expect([conflict.code, JSON.parse(conflict.body).details.causes[0].field]).toEqual([409, ".spec.replicas"]);
  await apply(3, "two", true);
  const scale = await config.makeApiClient(AppsV1Api).readNamespacedDeploymentScale({ namespace, name: "web" });
  expect(scale.spec?.replicas).toBe(3);
});

test("custom resources are served as soon as their definition is", async () => {
  const openAPIV3Schema = {
    type: "object",
    properties: { spec: { type: "object", properties: { n: { type: "integer", maximum: 3 } } } },
  };
  await server.apply({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  } as never);
  const custom = config.makeApiClient(CustomObjectsApi);
  const place = { group: "example.com", version: "v1", namespace, plural: "widgets" };
  const widget = (n: number) => ({
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "w" },
    spec: { n },
  });
  await expect(custom.createNamespacedCustomObject({ ...place, body: widget(4) })).rejects.toMatchObject({ code: 422 });
  expect(await custom.createNamespacedCustomObject({ ...place, body: widget(2) })).toMatchObject({ spec: { n: 2 } });
});

test("an informer sees existing, added, changed and deleted objects", async () => {
  await core.createNamespacedConfigMap({ namespace, body: configMap("before", { n: "0" }) });
  const seen: string[] = [];
  const informer = makeInformer<V1ConfigMap>(
    config,
    `/api/v1/namespaces/${namespace}/configmaps`,
    () => core.listNamespacedConfigMap({ namespace, labelSelector: "app=test" }),
    "app=test",
  );
  for (const event of ["add", "update", "delete"] as const) {
    informer.on(event, ({ metadata }) => seen.push(`${event} ${metadata?.name}`));
  }
  informer.on("error", (error) => seen.push(`error ${error}`));
  await informer.start();
  await core.createNamespacedConfigMap({ namespace, body: configMap("later") });
  await core.patchNamespacedConfigMap(
    { namespace, name: "before", body: { data: { n: "1" } } },
    setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
  );
  await core.deleteNamespacedConfigMap({ namespace, name: "later" });
  const wanted = ["add before", "add later", "update before", "delete later"];
  await vi.waitFor(() => expect(seen).toEqual(wanted), { timeout: 100_000 });
  expect(informer.get("before", namespace)?.data).toEqual({ n: "1" });
  await informer.stop();
});

test("a token of a service account may do what its roles say", async () => {
  await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name: "robot" } } });
  const spec = { audiences: [] as string[], expirationSeconds: 3600 };
  const { status } = await core.createNamespacedServiceAccountToken({ namespace, name: "robot", body: { spec } });
  const robot = new KubeConfig();
  const cluster = {
    name: "c",
    server: server.url,
    skipTLSVerify: false,
    caData: Buffer.from(server.caCertificate).toString("base64"),
  };
  robot.loadFromClusterAndUser(cluster, { name: "robot", token: status?.token ?? "" });
  const list = () => robot.makeApiClient(CoreV1Api).listNamespacedPod({ namespace });
  await expect(list()).rejects.toMatchObject({ code: 403 });
  const bind = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
  await server.apply({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name: "robot", namespace },
    roleRef: bind,
    subjects: [{ kind: "ServiceAccount", name: "robot", namespace }],
  } as never);
  expect((await list()).items).toEqual([]);
  const asked = await robot.makeApiClient(AuthorizationV1Api).createSelfSubjectAccessReview({
    body: { spec: { resourceAttributes: { verb: "delete", resource: "pods", namespace } } },
  });
  expect(asked.status?.allowed).toBe(false);
});
