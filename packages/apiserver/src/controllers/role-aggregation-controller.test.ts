import { expect, test } from "vitest";
import type { LocalClient } from "../client/local-client.ts";
import { testServer } from "../server.testing.ts";

const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
type Role = { metadata: { resourceVersion: string }; rules: { apiGroups: string[]; resources: string[] }[] };

const read = async (admin: LocalClient, name: string): Promise<Role> =>
  (await admin.call("GET", `${ROLES}/${name}`)).json() as unknown as Role;

/** The role once it satisfies a condition. */
async function until(admin: LocalClient, name: string, holds: (role: Role) => boolean): Promise<Role> {
  for (;;) {
    const role = await read(admin, name);
    if (holds(role)) return role;
    await new Promise((done) => setTimeout(done, 2));
  }
}

const role = (name: string, labels: Record<string, string>, resource: string): unknown => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name, labels },
  rules: [{ apiGroups: ["example.com"], resources: [resource], verbs: ["get"] }],
});
const VIEW = { "rbac.authorization.k8s.io/aggregate-to-view": "true" };
const names = ({ rules }: Role): string[] =>
  (rules ?? []).filter(({ apiGroups }) => apiGroups[0] === "example.com").map(({ resources }) => resources[0]!);

test("admin, edit and view get the rules of roles with their labels, and lose them again", async () => {
  const { admin, server } = await testServer();
  const before = (await read(admin, "view")).metadata.resourceVersion;
  await admin.call("POST", ROLES, { body: role("links", VIEW, "links") });
  for (const name of ["view", "edit", "admin"]) {
    expect(names(await until(admin, name, (now) => names(now).length > 0))).toEqual(["links"]);
  }
  await admin.call("DELETE", `${ROLES}/links`);
  for (const name of ["view", "edit", "admin"]) await until(admin, name, (now) => names(now).length === 0);
  expect(before).not.toBe((await read(admin, "view")).metadata.resourceVersion);
  await server.close();
});

test("rules are added in the order of selectors and names, each once", async () => {
  const { admin, server } = await testServer();
  for (const [name, letter, resource] of [
    ["b", "x", "two"],
    ["a", "x", "one"],
    ["c", "y", "zero"],
    ["d", "y", "one"],
  ] as const) {
    await admin.call("POST", ROLES, { body: role(name, { letter }, resource) });
  }
  const clusterRoleSelectors = [
    { matchLabels: { letter: "y" } },
    { matchExpressions: [{ key: "letter", operator: "Exists" }] },
  ];
  const body = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "all" },
    aggregationRule: { clusterRoleSelectors },
    rules: [],
  };
  await admin.call("POST", ROLES, { body });
  expect(names(await until(admin, "all", (now) => names(now).length > 0))).toEqual(["zero", "one", "two"]);
  await server.close();
});

test("switched off, the roles of the start are in force all the same", async () => {
  const { admin, server } = await testServer({ withoutControllers: ["clusterrole-aggregation"] });
  expect((await read(admin, "admin")).rules.length).toBeGreaterThan(20);
  await admin.call("POST", ROLES, { body: role("links", VIEW, "links") });
  await new Promise((done) => setImmediate(done));
  expect(names(await read(admin, "view"))).toEqual([]);
  await server.close();
});

test("a role of an earlier version is brought up to date, unless it is to be left alone", async () => {
  const { admin, server } = await testServer({ withoutControllers: ["clusterrole-aggregation"] });
  const type = "application/merge-patch+json";
  const own = { apiGroups: ["example.com"], resources: ["mine"], verbs: ["get"] };
  await admin.call("PATCH", `${ROLES}/view`, { type, body: { rules: [own], aggregationRule: null } });
  const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
  await admin.call("PATCH", `${ROLES}/edit`, { type, body: { metadata: { annotations }, rules: [own] } });
  const { bootstrap } = await import("../bootstrap/bootstrap.ts");
  await bootstrap(admin);
  const view = await read(admin, "view");
  expect([names(view), view.rules.length > 10, "aggregationRule" in view]).toEqual([["mine"], true, true]);
  expect((await read(admin, "edit")).rules).toEqual([own]);
  await server.close();
});
