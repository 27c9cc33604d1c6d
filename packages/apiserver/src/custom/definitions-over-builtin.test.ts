// Definitions with the names of built-in resources: kube-apiserver accepts them, never serves them, and they never affect the built-in
// ones.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LocalClient } from "../client/local-client.ts";
import { builtinResources } from "../kinds/builtin.ts";
import { KindTable } from "../kinds/kind-table.ts";
import { CONFIG_MAPS, configMap, type TestServer, testServer } from "../server.testing.ts";
import { customResources } from "./served-resources.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const RBAC = "rbac.authorization.k8s.io";
const ADMISSION = "admissionregistration.k8s.io";

const definitionOf = (plural: string, group: string, kind: string, scope = "Cluster") => ({
  metadata: { name: `${plural}.${group}`, annotations: { "api-approved.kubernetes.io": "unapproved, for a test" } },
  spec: {
    group,
    scope,
    names: { plural, kind },
    versions: ["v1", "v9"].map((name) => ({
      name,
      served: true,
      storage: name === "v1",
      schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    })),
  },
});

// Definitions need a dot in the name of their group.
const builtin = builtinResources().filter(({ group }) => group.includes("."));

let running: TestServer;
let admin: LocalClient;
beforeAll(async () => {
  running = await testServer();
  admin = running.admin;
}, 60_000);
afterAll(() => running.server.close());

const create = async (path: string, body: object): Promise<void> => {
  const { code, text } = await admin.call("POST", path, { body });
  expect(code, text).toBe(201);
};

describe("for every built-in resource", () => {
  test("a custom resource has another place in the store", () => {
    const places = new Set(builtinResources().map(({ storage }) => storage.prefix));
    for (const { resource: plural, group, kind } of builtinResources()) {
      const custom = customResources(definitionOf(plural, group, kind) as never, { plural, kind });
      for (const { resource } of custom) {
        expect([...places].filter((place) => place.startsWith(resource.storage.prefix))).toEqual([]);
        expect([...places].filter((place) => resource.storage.prefix.startsWith(place))).toEqual([]);
      }
    }
  });

  test("the table of kinds takes no custom resource into a built-in group, whatever it is called", () => {
    const kinds = new KindTable();
    const before = [...kinds.all()];
    for (const { group, kind, resource: plural } of builtinResources()) {
      for (const { resource } of customResources(definitionOf(plural, group, kind) as never, { plural, kind })) {
        expect(() => kinds.add(resource)).toThrow("built-in group");
        kinds.remove(resource);
      }
    }
    expect([...kinds.all()]).toEqual(before);
  });

  test("its definition is accepted, nothing is served in its place, and deleting it deletes nothing", async () => {
    await create("/apis/storage.k8s.io/v1/storageclasses", {
      metadata: { name: "kept" },
      provisioner: "example.com/x",
    });
    const states = async (): Promise<Record<string, unknown>> => {
      const lists = builtin
        .filter(({ verbs, kind }) => verbs.includes("list") && kind !== "CustomResourceDefinition")
        .map(async ({ apiVersion, resource }) => {
          const { code, text } = await admin.call("GET", `/apis/${apiVersion}/${resource}`);
          const { kind, items } = JSON.parse(text) as { kind: string; items: { metadata: { name: string } }[] };
          return [`${apiVersion}/${resource}`, { code, kind, names: items.map(({ metadata }) => metadata.name) }];
        });
      return Object.fromEntries(await Promise.all(lists)) as Record<string, unknown>;
    };
    const before = await states();
    const discovery = (await admin.call("GET", "/apis")).text;
    const names = new Set<string>();
    for (const { resource, group, kind, namespaced } of builtin) {
      const definition = definitionOf(resource, group, kind, namespaced ? "Namespaced" : "Cluster");
      if (names.has(definition.metadata.name)) continue;
      names.add(definition.metadata.name);
      await create(DEFINITIONS, definition);
      expect((await admin.call("GET", `/apis/${group}/v9/${resource}`)).code).toBe(404);
    }
    expect(names.size).toBeGreaterThan(40);
    expect(await states()).toEqual(before);
    expect((await admin.call("GET", "/apis")).text).toBe(discovery);
    for (const name of names) expect((await admin.call("DELETE", `${DEFINITIONS}/${name}`)).code).toBe(200);
    const left = async (): Promise<number> => (await admin.call("GET", DEFINITIONS)).json().items.length;
    await expect.poll(left, { timeout: 20_000 }).toBe(0);
    expect(await states()).toEqual(before);
  }, 60_000);
});

test("an author of definitions cannot put policies out of force", async () => {
  const metadata = { name: "no-config-maps" };
  await create(`/apis/${ADMISSION}/v1/validatingadmissionpolicies`, {
    metadata,
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      },
      validations: [{ expression: "false", message: "denied by policy" }],
    },
  });
  await create(`/apis/${ADMISSION}/v1/validatingadmissionpolicybindings`, {
    metadata,
    spec: { policyName: metadata.name, validationActions: ["Deny"] },
  });
  const write = async (): Promise<string> => (await admin.call("POST", CONFIG_MAPS, { body: configMap("x") })).text;
  expect(await write()).toContain("denied by policy");
  await create(DEFINITIONS, definitionOf("validatingadmissionpolicies", ADMISSION, "Foo"));
  expect(await write()).toContain("denied by policy");
  await admin.call("DELETE", `${DEFINITIONS}/validatingadmissionpolicies.${ADMISSION}`);
  expect(await write()).toContain("denied by policy");
});

test("an author of bindings and definitions cannot bind rights they do not hold, by any version or conversion", async () => {
  const mallory = new LocalClient(running.server, { username: "mallory", groups: [] });
  const rules = [
    { apiGroups: ["apiextensions.k8s.io"], resources: ["customresourcedefinitions"], verbs: ["create"] },
    { apiGroups: [RBAC], resources: ["clusterrolebindings"], verbs: ["create", "get", "patch"] },
  ];
  await create(`/apis/${RBAC}/v1/clusterroles`, { metadata: { name: "limited" }, rules });
  const bound = (name: string, role: string) => ({
    metadata: { name },
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: role },
    subjects: [{ apiGroup: RBAC, kind: "User", name: "mallory" }],
  });
  await create(`/apis/${RBAC}/v1/clusterrolebindings`, bound("limited", "limited"));
  const definition = definitionOf("clusterrolebindings", RBAC, "ClusterRoleBinding");
  expect((await mallory.call("POST", DEFINITIONS, { body: definition })).code).toBe(201);
  // biome-ignore format: one request per line
  const attempts: readonly (readonly [method: string, path: string, body: object, code: number])[] = [
    ["POST", `/apis/${RBAC}/v1/clusterrolebindings`, bound("evil", "cluster-admin"), 403],
    ["POST", `/apis/${RBAC}/v9/clusterrolebindings`, bound("evil", "cluster-admin"), 404],
    ["POST", `/apis/${RBAC}/v9/clusterrolebindings`, bound("evil", "limited"), 404],
    ["PATCH", `/apis/${RBAC}/v1/clusterrolebindings/evil`, { metadata: { finalizers: ["example.com/x"] } }, 404],
  ];
  for (const [method, path, body, code] of attempts) {
    const type = method === "PATCH" ? { type: "application/merge-patch+json" } : {};
    expect([path, (await mallory.call(method, path, { body, ...type })).code]).toEqual([path, code]);
  }
  expect((await mallory.call("GET", "/api/v1/namespaces/kube-system/secrets")).code).toBe(403);
});
