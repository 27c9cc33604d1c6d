import { hostname } from "node:os";
import { expect, test, vi } from "vitest";
import { LocalClient } from "../client/local-client.ts";
import { testServer } from "../server.testing.ts";
import { serverName } from "./server-identity-controller.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const FLOWS = "/apis/flowcontrol.apiserver.k8s.io/v1";
const API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
const PATIENCE = { timeout: 100_000 };

interface Named {
  readonly metadata: { readonly name: string };
}

// The counts of kube-apiserver.
test.each([
  ["1.30", 64, 45, 22, 13],
  ["1.34", 68, 49, 25, 11],
  ["1.37", 73, 54, 27, 11],
] as const)("roles and flow schemas are those of %s", async (kubeVersion, roles, bindings, rulesOfNodes, flows) => {
  const { server, admin } = await testServer({ componentObjects: true, kubeVersion });
  const items = async (path: string): Promise<readonly Named[]> => (await admin.call("GET", path)).json().items;
  const counts = async (): Promise<readonly number[]> => [
    (await items(`${RBAC}/clusterroles`)).length,
    (await items(`${RBAC}/clusterrolebindings`)).length,
    (await admin.call("GET", `${RBAC}/clusterroles/system:node`)).json().rules.length,
    (await items(`${FLOWS}/flowschemas`)).length,
  ];
  await vi.waitFor(async () => expect(await counts()).toEqual([roles, bindings, rulesOfNodes, flows]), PATIENCE);
  await server.close();
});

test("components find the roles, flow schemas and APIServices that they expect", async () => {
  const { server, admin } = await testServer({ componentObjects: true, clientCa: "a certificate\n" });
  const names = async (path: string): Promise<string[]> =>
    (await admin.call("GET", path)).json().items.map(({ metadata }: Named) => metadata.name);
  // The last that is created.
  const last = `${RBAC}/namespaces/kube-system/rolebindings/system:controller:token-cleaner`;
  await vi.waitFor(async () => expect((await admin.call("GET", last)).code).toBe(200), PATIENCE);
  // The roles of kube-apiserver 1.37.
  expect(await names(`${RBAC}/clusterroles`)).toHaveLength(73);
  expect(await names(`${RBAC}/clusterrolebindings`)).toHaveLength(54);
  expect(await names(`${RBAC}/roles`)).toHaveLength(7);
  expect(await names(`${RBAC}/rolebindings`)).toHaveLength(7);
  expect(await names(`${FLOWS}/flowschemas`)).toHaveLength(11);
  expect(await names(`${FLOWS}/prioritylevelconfigurations`)).toHaveLength(8);

  const authentication = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
  await vi.waitFor(async () => expect((await admin.call("GET", authentication)).code).toBe(200), PATIENCE);
  const manager = new LocalClient(server, { username: "system:kube-controller-manager", groups: [] });
  const codes = await Promise.all([
    manager.call("GET", "/api/v1/secrets"),
    manager.call("GET", authentication),
    manager.call("DELETE", "/api/v1/namespaces/default"),
  ]);
  expect(codes.map(({ code }) => code)).toEqual([200, 200, 403]);
  expect(codes[1].json().data).toEqual({ "client-ca-file": "a certificate\n" });
  const proxier = (await admin.call("GET", `${RBAC}/clusterroles/system:controller:job-controller`)).json();
  expect(proxier.rules[0]).toEqual({
    apiGroups: ["batch"],
    resources: ["jobs"],
    verbs: ["get", "list", "patch", "update", "watch"],
  });

  await vi.waitFor(async () => expect(await names(API_SERVICES)).toContain("v2.autoscaling"), PATIENCE);
  expect((await admin.call("GET", `${API_SERVICES}/v1.`)).json()).toMatchObject({
    metadata: { labels: { "kube-aggregator.kubernetes.io/automanaged": "onstart" } },
    spec: { version: "v1", groupPriorityMinimum: 18000, versionPriority: 1 },
    status: { conditions: [{ type: "Available", status: "True", reason: "Local" }] },
  });
  await server.close();
});

test("a server writes down its name, and every address of a service has an object", async () => {
  const { server, admin } = await testServer({ componentObjects: true, withoutControllers: ["component-objects"] });
  const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  const [lease] = await vi.waitFor(async () => {
    const { items } = (await admin.call("GET", leases)).json();
    expect(items).toHaveLength(1);
    return items;
  }, PATIENCE);
  expect(lease.metadata.name).toBe(serverName(hostname()));
  expect(lease.metadata.labels).toEqual({
    "apiserver.kubernetes.io/identity": "kube-apiserver",
    "kubernetes.io/hostname": hostname(),
  });
  expect(lease.spec).toMatchObject({ leaseDurationSeconds: 3600, renewTime: expect.stringMatching(/\.000000Z$/) });
  const tracking = "/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking";
  await vi.waitFor(async () => {
    expect((await admin.call("GET", tracking)).json().data.since).toMatch(/^\d{4}-\d\d-\d\d$/);
  }, PATIENCE);

  const addresses = async (): Promise<string[]> =>
    (await admin.call("GET", "/apis/networking.k8s.io/v1/ipaddresses"))
      .json()
      .items.map(({ metadata, spec }: Named & { spec: { parentRef: { name: string } } }) => [
        metadata.name,
        spec.parentRef.name,
      ]);
  await vi.waitFor(async () => expect(await addresses()).toEqual([["10.0.0.1", "kubernetes"]]), PATIENCE);
  const services = "/api/v1/namespaces/default/services";
  const body = { metadata: { name: "web" }, spec: { clusterIP: "10.0.7.7", ports: [{ port: 80 }] } };
  expect((await admin.call("POST", services, { body })).code).toBe(201);
  await vi.waitFor(async () => expect(await addresses()).toContainEqual(["10.0.7.7", "web"]), PATIENCE);
  await admin.call("DELETE", "/apis/networking.k8s.io/v1/ipaddresses/10.0.7.7");
  await vi.waitFor(async () => expect(await addresses()).toContainEqual(["10.0.7.7", "web"]), PATIENCE);
  await admin.call("DELETE", `${services}/web`);
  await vi.waitFor(async () => expect(await addresses()).toEqual([["10.0.0.1", "kubernetes"]]), PATIENCE);
  await server.close();
});

test.each([
  // By Go: strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(hash[:16])).
  ["localhost", "apiserver-jgla3zmib2ggq5buc4hwi5talm"],
])("the name of a server on %s", (host, name) => expect(serverName(host)).toBe(name));

test("a CRD's group has an APIService for as long as it is served", async () => {
  const { server, admin } = await testServer({ componentObjects: true, withoutControllers: ["component-objects"] });
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const version = (name: string, storage: boolean) => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: "object" } },
  });
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [version("v1", true), version("v1beta1", false)],
    },
  };
  const codes = async (): Promise<number[]> => {
    const all = ["v1", "v1beta1"].map((name) => admin.call("GET", `${API_SERVICES}/${name}.example.com`));
    return (await Promise.all(all)).map(({ code }) => code);
  };
  expect((await admin.call("POST", path, { body: definition })).code).toBe(201);
  await vi.waitFor(async () => expect(await codes()).toEqual([200, 200]), PATIENCE);
  expect((await admin.call("GET", `${API_SERVICES}/v1.example.com`)).json().spec).toEqual({
    group: "example.com",
    version: "v1",
    groupPriorityMinimum: 1000,
    versionPriority: 100,
  });
  const body = { spec: { versions: [version("v1", true)] } };
  await admin.call("PATCH", `${path}/things.example.com`, { body, type: "application/merge-patch+json" });
  await vi.waitFor(async () => expect(await codes()).toEqual([200, 404]), PATIENCE);
  await admin.call("DELETE", `${path}/things.example.com`);
  await vi.waitFor(async () => expect(await codes()).toEqual([404, 404]), PATIENCE);
  await server.close();
});
