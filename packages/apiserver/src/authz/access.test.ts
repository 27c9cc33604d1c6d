// The rights of users: verbs, subresources, names, paths, escalation and impersonation, each with the code it is answered with.
// Unauthorized users get their answer before anything is looked up: 403, never 404.

import { beforeAll, describe, expect, test } from "vitest";
import { LocalClient } from "../client/local-client.ts";
import { type TestServer, testServer } from "../server.testing.ts";

let running: TestServer;

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const NS = "/api/v1/namespaces/default";
const CM = `${NS}/configmaps`;
const OTHER = "/api/v1/namespaces/other/configmaps";
const LONG = "a".repeat(253);

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}
const core = (verbs: string, resources: string, ...resourceNames: string[]): Rule => ({
  verbs: verbs.split(" "),
  apiGroups: [""],
  resources: resources.split(" "),
  ...(resourceNames.length > 0 && { resourceNames }),
});
const of = (group: string, verbs: string, resources: string, ...names: string[]): Rule => ({
  ...core(verbs, resources, ...names),
  apiGroups: [group],
});
const paths = (verbs: string, ...nonResourceURLs: string[]): Rule => ({ verbs: verbs.split(" "), nonResourceURLs });

/** Rules of each user, in the namespace `default`. */
const ROLES: Readonly<Record<string, readonly Rule[]>> = {
  reader: [core("get list watch", "configmaps")],
  writer: [core("create update patch delete deletecollection", "configmaps")],
  named: [core("get list watch update patch delete create deletecollection", "configmaps", "one", "a.b", LONG)],
  status: [core("patch", "pods/status"), of("apps", "update get", "deployments/scale")],
  scaler: [of("apps", "get", "*/scale")],
  binder: [of("rbac.authorization.k8s.io", "create update", "rolebindings roles"), core("get", "configmaps")],
};
/** Rules of each user, in the cluster. */
const CLUSTER_ROLES: Readonly<Record<string, readonly Rule[]>> = {
  everywhere: [core("get list", "configmaps")],
  prober: [paths("get", "/metrics", "/healthz/*")],
  poster: [paths("post", "/metrics")],
  anything: [paths("*", "*")],
  "role-writer": [of("rbac.authorization.k8s.io", "create update patch get", "*"), core("get", "configmaps")],
  escalator: [of("rbac.authorization.k8s.io", "create escalate", "clusterroles roles")],
  "view-binder": [
    of("rbac.authorization.k8s.io", "create", "rolebindings clusterrolebindings"),
    of("rbac.authorization.k8s.io", "bind", "clusterroles", "view"),
  ],
  actor: [
    core("impersonate", "users", "jane"),
    core("impersonate", "groups", "dev", "system:masters:not"),
    of("authentication.k8s.io", "impersonate", "uids", "u1"),
    of("authentication.k8s.io", "impersonate", "userextras/example.com%2fscope userextras/scope", "read"),
    core("impersonate", "serviceaccounts", "robot"),
  ],
  "odd:name/with slash": [core("get list", "configmaps")],
  "ünï çødé": [core("get", "configmaps")],
  groupless: [core("impersonate", "users groups")],
  // Acts as others, but only to read config maps.
  constrained: [
    of("authentication.k8s.io", "impersonate:user-info", "users", "ann"),
    of("authentication.k8s.io", "impersonate:user-info", "groups", "dev", "system:masters"),
    of("authentication.k8s.io", "impersonate:user-info", "uids", "u1"),
    of("authentication.k8s.io", "impersonate:user-info", "userextras/example.com/scope", "read"),
    core("impersonate-on:user-info:get", "configmaps"),
  ],
  "account-actor": [
    of("authentication.k8s.io", "impersonate:serviceaccount", "serviceaccounts", "robot"),
    core("impersonate-on:serviceaccount:get", "configmaps"),
  ],
  "node-actor": [
    of("authentication.k8s.io", "impersonate:arbitrary-node", "nodes", "n1"),
    core("impersonate-on:arbitrary-node:list", "pods"),
  ],
};

beforeAll(async () => {
  running = await testServer();
  const { admin, server } = running;
  const create = async (path: string, body: object): Promise<void> => {
    const { code, text } = await admin.call("POST", path, { body });
    expect(code, text).toBe(201);
  };
  await create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } });
  for (const name of ["one", "two", "a.b", LONG]) {
    await create(CM, { apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
  }
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const subjectOf = (name: string) => ({ kind: "User", apiGroup: "rbac.authorization.k8s.io", name });
  for (const [scope, roles] of [["", CLUSTER_ROLES] as const, ["default", ROLES] as const]) {
    const root = scope === "" ? RBAC : `${RBAC}/namespaces/${scope}`;
    const kind = scope === "" ? "ClusterRole" : "Role";
    let count = 0;
    for (const [user, rules] of Object.entries(roles)) {
      const name = `role-${scope}-${count++}`;
      await create(`${root}/${kind.toLowerCase()}s`, { apiVersion, kind, metadata: { name }, rules });
      await create(`${root}/${kind.toLowerCase()}bindings`, {
        apiVersion,
        kind: `${kind}Binding`,
        metadata: { name },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
        subjects: [subjectOf(user)],
      });
    }
  }
  return () => server.close();
});

const as = (username: string, ...groups: string[]): LocalClient =>
  new LocalClient(running.server, { username, groups: [...groups, "system:authenticated"] });

type Case = [user: string, method: string, path: string, code: number, body?: object];
const configMap = (name: string): object => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });

async function codeOf([user, method, path, , body]: Case): Promise<number> {
  const type = method === "PATCH" ? { type: "application/merge-patch+json" } : {};
  const client = as(user);
  if (path.includes("watch=true")) {
    try {
      (await client.watch(path)).close();
      return 200;
    } catch (error) {
      return Number(/: (\d{3}) /.exec((error as Error).message)?.[1]);
    }
  }
  return (await client.call(method, path, { ...(body && { body }), ...type })).code;
}

function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    for (const testCase of cases) {
      const [user, method, path, code] = testCase;
      test(`${user} ${method} ${path.length > 100 ? `${path.slice(0, 100)}…` : path}: ${code}`, async () => {
        expect(await codeOf(testCase)).toBe(code);
      });
    }
  });
}

// biome-ignore format: one case per line
table("verbs", [
  ["reader", "GET",    `${CM}/one`,                 200],
  ["reader", "HEAD",   `${CM}/one`,                 405],
  ["reader", "GET",    CM,                          200],
  ["reader", "GET",    `${CM}?watch=true`,          200],
  ["reader", "POST",   CM,                          403, configMap("x")],
  ["reader", "PUT",    `${CM}/one`,                 403, configMap("one")],
  ["reader", "PATCH",  `${CM}/one`,                 403, {}],
  ["reader", "DELETE", `${CM}/one`,                 403],
  ["reader", "DELETE", CM,                          403],
  ["reader", "GET",    OTHER,                       403],
  ["reader", "GET",    "/api/v1/configmaps",        403],
  ["reader", "GET",    `${NS}/secrets`,             403],
  ["reader", "GET",    `${NS}/nothing`,             403],
  ["reader", "GET",    "/apis/example.com/v1/widgets", 403],
  ["writer", "GET",    `${CM}/one`,                 403],
  ["writer", "GET",    `${CM}/absent`,              403],
  ["writer", "POST",   `${CM}?dryRun=All`,          201, configMap("x")],
  ["writer", "PATCH",  `${CM}/absent`,              404, {}],
  // A request that creates an object needs the right to create it.
  ["everywhere", "GET", `${CM}/one`,                200],
  ["everywhere", "GET", "/api/v1/configmaps",       200],
  ["everywhere", "GET", OTHER,                      200],
  ["everywhere", "GET", "/api/v1/configmaps?watch=true", 403],
  ["nobody",     "GET", "/api",                     200],
  ["nobody",     "GET", `${CM}/one`,                403],
]);

// biome-ignore format: one case per line
table("names", [
  ["named", "GET",    `${CM}/one`,                                     200],
  ["named", "GET",    `${CM}/two`,                                     403],
  ["named", "GET",    `${CM}/absent`,                                  403],
  ["named", "GET",    CM,                                              403],
  ["named", "GET",    `${CM}?fieldSelector=metadata.name%3Done`,       200],
  ["named", "GET",    `${CM}?fieldSelector=metadata.name%3Dtwo`,       403],
  ["named", "GET",    `${CM}?fieldSelector=metadata.name!%3Dtwo`,      403],
  ["named", "GET",    `${CM}?fieldSelector=metadata.name%3Done&fieldSelector=metadata.name%3Dtwo`, 200],
  ["named", "GET",    `${CM}?watch=true&fieldSelector=metadata.name%3Done`, 200],
  ["named", "GET",    `${CM}?watch=true`,                              403],
  // The name of an object to be created is not known to the authorizer.
  ["named", "POST",   CM,                                              403, configMap("one")],
  ["named", "DELETE", CM,                                              403],
  ["named", "PATCH",  `${CM}/one`,                                     200, { data: { a: "b" } }],
  ["named", "PATCH",  `${CM}/two`,                                     403, { data: { a: "b" } }],
  ["named", "GET",    `${CM}/a.b`,                                     200],
  ["named", "GET",    `${CM}/a%2Eb`,                                   200],
  ["named", "GET",    `${CM}/${LONG}`,                                 200],
  ["named", "GET",    `${CM}/${LONG}a`,                                403],
  ["named", "GET",    `${CM}/${"a".repeat(5000)}`,                     403],
]);

// biome-ignore format: one case per line
table("odd paths", [
  ["named", "GET", `${CM}/o%6Ee`,                          200],
  ["named", "GET", `${CM}/one/`,                           200],
  ["named", "GET", `${CM}/one%2F`,                         200],
  // An encoded slash is a slash: the rest is a subresource, which has its own rules.
  ["named", "GET", `${CM}/one%2Fstatus`,                   403],
  ["named", "GET", `${CM}/one/status`,                     403],
  ["named", "GET", `${CM}/one%00`,                         403],
  ["named", "GET", `${CM}/one%20`,                         403],
  ["named", "GET", `${CM}/ONE`,                            403],
  ["named", "GET", `${CM}/%6Fne%FF`,                       403],
  ["named", "GET", `${CM}/two/../one`,                     403],
  ["named", "GET", `${CM}/..%2Fone`,                       403],
  ["named", "GET", `${CM}/../configmaps/one`,              403],
  ["named", "GET", `${CM}//one`,                           403],
  ["named", "GET", `//api/v1/namespaces/default/configmaps/one`, 404],
  ["named", "GET", "/api/v1/namespaces/other%2F..%2Fdefault/configmaps/one", 403],
  ["named", "GET", "/api/v1/namespaces//configmaps/one",   403],
  ["named", "GET", "/api/v1/namespaces/%2E%2E/configmaps/one", 403],
  ["named", "GET", `${CM}/ｏｎｅ`,                          403],
  ["named", "GET", `${CM}/%E2%80%AEone`,                   403],
  ["named", "GET", "/api/v1/configmaps/one",               403],
  // The path names the core group, but not where it is served.
  ["named", "GET", "/apis//v1/namespaces/default/configmaps/one", 404],
  ["reader", "GET", `${CM}/one;x=y`,                       404],
  ["reader", "GET", `${CM}/%2E%2E`,                        400],
  ["odd:name/with slash", "GET", `${CM}/one`,              200],
  ["odd:name", "GET", `${CM}/one`,                         403],
  ["ünï çødé", "GET", `${CM}/one`,                         200],
  ["uni code", "GET", `${CM}/one`,                         403],
]);

// biome-ignore format: one case per line
table("subresources", [
  ["status", "PATCH", `${NS}/pods/absent/status`,                           404, {}],
  ["status", "PATCH", `${NS}/pods/absent`,                                  403, {}],
  ["status", "GET",   `${NS}/pods/absent/status`,                           403],
  ["status", "PATCH", `${NS}/pods/absent/ephemeralcontainers`,              403, {}],
  ["status", "GET",   "/apis/apps/v1/namespaces/default/deployments/x/scale", 404],
  ["status", "GET",   "/apis/apps/v1/namespaces/default/deployments/x",     403],
  ["status", "GET",   "/apis/apps/v1/namespaces/default/replicasets/x/scale", 403],
  ["scaler", "GET",   "/apis/apps/v1/namespaces/default/replicasets/x/scale", 404],
  ["scaler", "GET",   "/apis/apps/v1/namespaces/default/replicasets/x/status", 403],
  ["reader", "GET",   `${CM}/one/status`,                                   403],
  ["reader", "POST",  `${NS}/pods/x/eviction`,                              403, {}],
  ["reader", "POST",  `${NS}/serviceaccounts/default/token`,                403, {}],
  ["reader", "PUT",   "/api/v1/namespaces/default/finalize",                403, {}],
]);

// biome-ignore format: one case per line
table("paths that are no resources", [
  ["prober",   "GET",  "/metrics",         200],
  ["prober",   "GET",  "/healthz/ping",    200],
  ["prober",   "GET",  "/healthz/a/b",     404],
  ["prober",   "GET",  "/metricsx",        403],
  ["prober",   "GET",  "/metrics/slis",    403],
  ["prober",   "POST", "/metrics",         403],
  ["prober",   "GET",  "/debug/pprof",     403],
  ["prober",   "GET",  "/healthz/../metrics", 404],
  ["prober",   "GET",  "/logs/%2E%2E/metrics", 403],
  ["poster",   "GET",  "/metrics",         403],
  ["anything", "GET",  "/debug/pprof",     404],
  ["anything", "GET",  `${CM}/one`,        403],
  ["nobody",   "GET",  "/metrics",         403],
  ["nobody",   "GET",  "/version",         200],
  ["nobody",   "GET",  "/openapi/v3",      200],
  ["nobody",   "GET",  "/",                403],
]);

const role = (rules: readonly Rule[], kind = "ClusterRole"): object => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind,
  metadata: { generateName: "x-" },
  rules,
});
const bindingTo = (name: string, kind = "ClusterRole", scope = "RoleBinding"): object => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: scope,
  metadata: { generateName: "x-" },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
  subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "friend" }],
});
const dry = "?dryRun=All";

// biome-ignore format: one case per line
table("nobody gives more than they have", [
  ["role-writer", "POST", `${RBAC}/clusterroles${dry}`, 201, role([core("get", "configmaps")])],
  ["role-writer", "POST", `${RBAC}/clusterroles${dry}`, 201, role([core("get", "configmaps", "one")])],
  ["role-writer", "POST", `${RBAC}/clusterroles${dry}`, 403, role([core("list", "configmaps")])],
  ["role-writer", "POST", `${RBAC}/clusterroles${dry}`, 403, role([core("get", "configmaps/status")])],
  ["role-writer", "POST", `${RBAC}/clusterroles${dry}`, 403, role([core("*", "configmaps")])],
  ["role-writer", "POST", `${RBAC}/clusterroles${dry}`, 403, role([paths("get", "/metrics")])],
  ["role-writer", "POST", `${RBAC}/clusterroles${dry}`, 201, role([paths("get", "/healthz")])],
  ["escalator",   "POST", `${RBAC}/clusterroles${dry}`, 201, role([core("*", "*")])],
  ["escalator",   "POST", `${RBAC}/namespaces/default/roles${dry}`, 201, role([core("*", "secrets")], "Role")],
  ["escalator",   "POST", `${RBAC}/namespaces/default/rolebindings${dry}`, 403, bindingTo("view")],
  ["binder",      "POST", `${RBAC}/namespaces/default/roles${dry}`, 201, role([core("get", "configmaps")], "Role")],
  ["binder",      "POST", `${RBAC}/namespaces/default/roles${dry}`, 403, role([core("get", "secrets")], "Role")],
  ["binder",      "POST", `${RBAC}/namespaces/other/roles${dry}`,   403, role([core("get", "configmaps")], "Role")],
  ["binder",      "POST", `${RBAC}/namespaces/default/rolebindings${dry}`, 403, bindingTo("view")],
  ["binder",      "POST", `${RBAC}/namespaces/default/rolebindings${dry}`, 403, bindingTo("cluster-admin")],
  ["view-binder", "POST", `${RBAC}/namespaces/default/rolebindings${dry}`, 201, bindingTo("view")],
  ["view-binder", "POST", `${RBAC}/namespaces/default/rolebindings${dry}`, 403, bindingTo("edit")],
  ["view-binder", "POST", `${RBAC}/clusterrolebindings${dry}`, 201, bindingTo("view", "ClusterRole", "ClusterRoleBinding")],
]);

type Headers = Readonly<Record<string, string | readonly string[]>>;

// biome-ignore format: one case per line
const impersonations: [what: string, user: string, headers: Headers, code: number, message?: string][] = [
  ["a user",                    "actor", { "impersonate-user": "jane" },                                                         200],
  ["another user",              "actor", { "impersonate-user": "john" },                                                         403, 'users "john" is forbidden: User "actor" cannot impersonate resource "users" in API group "" at the cluster scope'],
  ["a user by another case",    "actor", { "impersonate-user": "Jane" },                                                         403],
  ["a user with spaces",        "actor", { "impersonate-user": "jane " },                                                        403],
  ["a group",                   "actor", { "impersonate-user": "jane", "impersonate-group": ["dev"] },                           200],
  ["two groups, one of them",   "actor", { "impersonate-user": "jane", "impersonate-group": ["dev", "ops"] },                    403, 'groups "ops" is forbidden: User "actor" cannot impersonate resource "groups" in API group "" at the cluster scope'],
  ["groups in one header",      "actor", { "impersonate-user": "jane", "impersonate-group": ["dev,ops"] },                       403],
  ["the masters",               "actor", { "impersonate-user": "jane", "impersonate-group": ["system:masters"] },                403],
  ["a uid",                     "actor", { "impersonate-user": "jane", "impersonate-uid": "u1" },                                200],
  ["another uid",               "actor", { "impersonate-user": "jane", "impersonate-uid": "u2" },                                403, 'uids.authentication.k8s.io "u2" is forbidden: User "actor" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope'],
  ["an extra",                  "actor", { "impersonate-user": "jane", "impersonate-extra-scope": ["read"] },                    200],
  ["another value",             "actor", { "impersonate-user": "jane", "impersonate-extra-scope": ["write"] },                   403, 'userextras.authentication.k8s.io "write" is forbidden: User "actor" cannot impersonate resource "userextras/scope" in API group "authentication.k8s.io" at the cluster scope'],
  ["an extra of another key",   "actor", { "impersonate-user": "jane", "impersonate-extra-depth": ["read"] },                    403],
  ["an extra with a slash",     "actor", { "impersonate-user": "jane", "impersonate-extra-example.com%2fscope": ["read"] },      403],
  ["a service account",         "actor", { "impersonate-user": "system:serviceaccount:default:robot" },                          200],
  ["another service account",   "actor", { "impersonate-user": "system:serviceaccount:default:other" },                          403, 'serviceaccounts "other" is forbidden: User "actor" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "default"'],
  ["groups without a user",     "actor", { "impersonate-group": ["dev"] },                                                       400],
  ["a uid without a user",      "actor", { "impersonate-uid": "u1" },                                                            400],
  ["nobody may",                "nobody", { "impersonate-user": "jane" },                                                        403],
  ["everybody, not extras",     "groupless", { "impersonate-user": "x", "impersonate-group": ["y"], "impersonate-extra-a": ["b"] }, 403],
  ["everybody",                 "groupless", { "impersonate-user": "x", "impersonate-group": ["y"] },                            200],
];

test.each(impersonations.map((impersonation) => ({ row: impersonation, what: impersonation[0] })))(
  "impersonation: $what",
  async ({ row }) => {
    const [, user, headers, code, message] = row;
    const { code: answered, json, text } = await as(user).call("GET", "/api", { headers });
    expect(answered, text).toBe(code);
    if (message !== undefined) expect(json().message).toBe(message);
  },
);

const ANN = { "impersonate-user": "ann" };
const POD_LIST = "/api/v1/pods?fieldSelector=spec.nodeName%3Dn1";

// biome-ignore format: one case per line
const constrained: [what: string, user: string, method: string, path: string, headers: Headers, message: string][] = [
  ["a user for a request",          "constrained", "GET",    `${CM}/one`, ANN,                                                       'configmaps "one" is forbidden: User "ann" cannot get resource "configmaps" in API group "" in the namespace "default"'],
  ["a user for another request",    "constrained", "DELETE", `${CM}/one`, ANN,                                                       'configmaps "one" is forbidden: User "constrained" cannot impersonate-on:user-info:delete resource "configmaps" in API group "" in the namespace "default"'],
  ["another user",                  "constrained", "GET",    `${CM}/one`, { "impersonate-user": "bob" },                             'users.authentication.k8s.io "bob" is forbidden: User "constrained" cannot impersonate:user-info resource "users" in API group "authentication.k8s.io" at the cluster scope'],
  ["a group",                       "constrained", "GET",    `${CM}/one`, { ...ANN, "impersonate-group": ["dev"] },                  'configmaps "one" is forbidden: User "ann" cannot get resource "configmaps" in API group "" in the namespace "default"'],
  ["the masters",                   "constrained", "GET",    `${CM}/one`, { ...ANN, "impersonate-group": ["system:masters"] },       'groups.authentication.k8s.io "system:masters" is forbidden: User "constrained" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the system:masters group is not allowed'],
  ["an extra",                      "constrained", "GET",    `${CM}/one`, { ...ANN, "impersonate-extra-example.com%2fscope": ["read"] }, 'configmaps "one" is forbidden: User "ann" cannot get resource "configmaps" in API group "" in the namespace "default"'],
  ["an extra without a domain",     "constrained", "GET",    `${CM}/one`, { ...ANN, "impersonate-extra-scope": ["read"] },            'userextras.authentication.k8s.io is forbidden: User "constrained" cannot impersonate:user-info resource "userextras" in API group "authentication.k8s.io" at the cluster scope: impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "scope": must be a domain-prefixed path (such as "acme.io/foo")'],
  ["a service account as a user",   "constrained", "GET",    `${CM}/one`, { "impersonate-user": "system:serviceaccount:default:robot" }, 'configmaps "one" is forbidden: User "constrained" cannot impersonate-on:serviceaccount:get resource "configmaps" in API group "" in the namespace "default"'],
  ["a service account",             "account-actor", "GET",  `${CM}/one`, { "impersonate-user": "system:serviceaccount:default:robot" }, 'configmaps "one" is forbidden: User "system:serviceaccount:default:robot" cannot get resource "configmaps" in API group "" in the namespace "default"'],
  ["another account",               "account-actor", "GET",  `${CM}/one`, { "impersonate-user": "system:serviceaccount:default:other" }, 'serviceaccounts.authentication.k8s.io "other" is forbidden: User "account-actor" cannot impersonate:serviceaccount resource "serviceaccounts" in API group "authentication.k8s.io" in the namespace "default"'],
  ["a node, which is one then",     "node-actor",  "GET",    POD_LIST,    { "impersonate-user": "system:node:n1" },                  ""],
  ["another node",                  "node-actor",  "GET",    POD_LIST,    { "impersonate-user": "system:node:n2" },                  'nodes.authentication.k8s.io "n2" is forbidden: User "node-actor" cannot impersonate:arbitrary-node resource "nodes" in API group "authentication.k8s.io" at the cluster scope'],
  ["nobody at all",                 "constrained", "GET",    `${CM}/one`, { "impersonate-uid": "u1" },                               'requested &user.DefaultInfo{Name:"", UID:"u1", Groups:[]string(nil), Extra:map[string][]string(nil)} without impersonating a user name'],
];

test.each(constrained.map((item) => ({ row: item, what: item[0] })))(
  "constrained impersonation: $what",
  async ({ row }) => {
    const [, user, method, path, headers, message] = row;
    const { json } = await as(user).call(method, path, { headers });
    expect(json().message ?? "").toBe(message);
  },
);

test("reviews are about the impersonated user, and a group counts only with its user", async () => {
  const actor = as("actor");
  const headers = { "impersonate-user": "jane", "impersonate-group": ["dev"], "impersonate-extra-scope": ["read"] };
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const { status } = (await actor.call("POST", path, { body, headers })).json();
  expect(status.userInfo).toEqual({
    username: "jane",
    groups: ["dev", "system:authenticated"],
    extra: { scope: ["read"] },
  });
  const refused = await actor.call("GET", `${CM}/one`, { headers });
  expect(refused.json().message).toBe(
    'configmaps "one" is forbidden: User "jane" cannot get resource "configmaps" in API group "" in the namespace "default"',
  );
});

test("a review says which selectors it could not read", async () => {
  const selectors = { fieldSelector: { rawSelector: "$(A)" }, labelSelector: { rawSelector: "*.a" } };
  const spec = { user: "x", resourceAttributes: { verb: "get", resource: "pods", ...selectors } };
  const body = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", spec };
  const answer = await running.admin.call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", { body });
  expect(answer.json().status.evaluationError).toBe(
    "spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error",
  );
});

test("reviews agree with the table", async () => {
  const { admin } = running;
  const review = async (user: string, attributes: object): Promise<boolean> => {
    const body = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: { user, groups: ["system:authenticated"], ...attributes },
    };
    const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    return (await admin.call("POST", path, { body })).json().status.allowed;
  };
  const about = (verb: string, resource: string, more: object = {}): object => ({
    resourceAttributes: { verb, resource, namespace: "default", ...more },
  });
  // biome-ignore format: one case per line
  const asked: [string, object, boolean][] = [
    ["reader",   about("get", "configmaps"),                                        true],
    ["reader",   about("delete", "configmaps"),                                     false],
    ["reader",   about("get", "configmaps", { namespace: "other" }),                false],
    ["reader",   about("get", "configmaps", { subresource: "status" }),             false],
    ["named",    about("get", "configmaps"),                                        false],
    ["named",    about("get", "configmaps", { name: "one" }),                       true],
    ["named",    about("get", "configmaps", { name: "one/../two" }),                false],
    ["scaler",   about("get", "statefulsets", { group: "apps", subresource: "scale" }), true],
    ["prober",   { nonResourceAttributes: { verb: "get", path: "/healthz/x/y" } },  true],
    ["prober",   { nonResourceAttributes: { verb: "get", path: "/metrics/slis" } }, false],
    ["anything", { nonResourceAttributes: { verb: "delete", path: "/x" } },         true],
  ];
  for (const [user, attributes, want] of asked) {
    expect([user, attributes, await review(user, attributes)]).toEqual([user, attributes, want]);
  }
});

// biome-ignore format: one selector per line
const selectors: [what: string, selectors: object, allowed: boolean, error: string | undefined][] = [
  ["none",                        {},                                                                                             false, undefined],
  ["the node's own pods",         { fieldSelector: { rawSelector: "spec.nodeName=n1" } },                                         true,  undefined],
  ["another's",                   { fieldSelector: { rawSelector: "spec.nodeName=n2" } },                                         false, undefined],
  ["as requirements",             { fieldSelector: { requirements: [{ key: "spec.nodeName", operator: "In", values: ["n1"] }] } }, true,  undefined],
  ["of an unknown operator",      { fieldSelector: { requirements: [{ key: "spec.nodeName", operator: "Bad", values: ["n1"] }] } }, false, "spec.resourceAttributes.fieldSelector ignored due to parse error"],
  ["in part",                     { fieldSelector: { requirements: [{ key: "spec.nodeName", operator: "In", values: ["n1"] }, { key: "a", operator: "Exists" }] } }, true, "spec.resourceAttributes.fieldSelector partially ignored due to parse error"],
  ["of labels, without a sense",  { labelSelector: { rawSelector: "a in (" } },                                                   false, "spec.resourceAttributes.labelSelector ignored due to parse error"],
];

test.each(selectors)("a review with a selector: %s", async (_, selector, allowed, error) => {
  const body = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: {
      user: "system:node:n1",
      groups: ["system:nodes"],
      resourceAttributes: { verb: "list", resource: "pods", ...selector },
    },
  };
  const reply = await running.admin.call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", { body });
  expect(reply.json().status).toMatchObject({ allowed, ...(error !== undefined && { evaluationError: error }) });
});
