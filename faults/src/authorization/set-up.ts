// The same users, roles and objects on both sides, and definitions over names that are built in.

import { type Grant, NAMES, NAMESPACES, USERS } from "./rights.ts";
import type { Side } from "./wire.ts";

const RBAC = "rbac.authorization.k8s.io";
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/** A service account that may do everything, and is no administrator by its group. */
export const ADMIN = "az-admin";

/** A text in an object by which it is known wherever it is shown. */
export const markerOf = (group: string, resource: string, namespace: string, name: string): string =>
  `marker<${[group, resource, namespace, name].join("/")}>`.replace(/[<>]/g, "-");

export async function setUp(side: Side, grants: readonly Grant[]): Promise<void> {
  const create = async (path: string, body: object): Promise<void> => {
    const { code, body: text } = await side.admin("POST", path, body);
    if (code !== 201 && code !== 409) throw new Error(`set-up: POST ${path}: ${code} ${text.slice(0, 300)}`);
  };
  await removeGrants(side);
  for (const namespace of NAMESPACES) {
    await create("/api/v1/namespaces", { metadata: { name: namespace } });
    await create(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: "default" } });
  }
  for (const definition of definitions()) await create(DEFINITIONS, definition);
  for (const user of [...USERS, ADMIN]) {
    const accounts = "/api/v1/namespaces/az-a/serviceaccounts";
    await create(accounts, { metadata: { name: user } });
    const { body } = await side.admin("POST", `${accounts}/${user}/token`, { spec: { expirationSeconds: 7200 } });
    side.know(user, (JSON.parse(body) as { status: { token: string } }).status.token);
  }
  for (const [at, grant] of [...grants, ALL].entries()) await bind(create, `az-${at}`, grant);
  await eventually(side, "/apis/example.com/v1/widgets");
  await eventually(side, "/apis/example.com/v1/gadgets");
  for (const namespace of NAMESPACES) for (const name of NAMES) await createObjects(create, namespace, name);
  for (const name of NAMES) {
    await create("/apis/example.com/v1/gadgets", {
      apiVersion: "example.com/v1",
      kind: "Gadget",
      metadata: { name },
      spec: { text: markerOf("example.com", "gadgets", "", name) },
    });
  }
}

/** Roles of an earlier campaign on the same server. */
async function removeGrants(side: Side): Promise<void> {
  for (const resource of ["clusterrolebindings", "clusterroles", "rolebindings", "roles"]) {
    const root = `/apis/${RBAC}/v1`;
    const { body } = await side.admin("GET", `${root}/${resource}`);
    const { items } = JSON.parse(body) as { items: { metadata: { name: string; namespace?: string } }[] };
    for (const { metadata } of items) {
      if (!metadata.name.startsWith("az-")) continue;
      const place = metadata.namespace === undefined ? root : `${root}/namespaces/${metadata.namespace}`;
      await side.admin("DELETE", `${place}/${resource}/${metadata.name}`);
    }
  }
}

const ALL: Grant = {
  user: ADMIN,
  namespace: "",
  rules: [
    { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
    { verbs: ["*"], nonResourceURLs: ["*"] },
  ],
};

type Create = (path: string, body: object) => Promise<void>;

async function createObjects(create: Create, namespace: string, name: string): Promise<void> {
  const marker = (group: string, resource: string): string => markerOf(group, resource, namespace, name);
  const core = `/api/v1/namespaces/${namespace}`;
  await create(`${core}/configmaps`, {
    metadata: { name, labels: { app: name } },
    data: { a: marker("", "configmaps") },
  });
  // The value of a secret is in base64: an annotation shows it too.
  await create(`${core}/secrets`, { metadata: { name, annotations: { a: marker("", "secrets") } } });
  await create(`${core}/pods`, {
    metadata: { name, annotations: { a: marker("", "pods") } },
    spec: { containers: [{ name: "c", image: "example.com/none" }] },
  });
  await create(`/apis/example.com/v1/namespaces/${namespace}/widgets`, {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name },
    spec: { text: marker("example.com", "widgets") },
  });
}

async function bind(create: Create, name: string, { user, namespace, rules }: Grant): Promise<void> {
  const root = `/apis/${RBAC}/v1${namespace === "" ? "" : `/namespaces/${namespace}`}`;
  const [role, binding] = namespace === "" ? ["ClusterRole", "clusterrolebindings"] : ["Role", "rolebindings"];
  await create(`${root}/${role.toLowerCase()}s`, { metadata: { name }, rules });
  await create(`${root}/${binding}`, {
    metadata: { name },
    roleRef: { apiGroup: RBAC, kind: role, name },
    subjects: [{ kind: "ServiceAccount", namespace: "az-a", name: user }],
  });
}

function definitions(): readonly object[] {
  const of = (plural: string, group: string, kind: string, scope: string, annotations: object = {}) => ({
    metadata: { name: `${plural}.${group}`, annotations },
    spec: {
      group,
      scope,
      names: { plural, kind },
      versions: ["v1", "v9"].map((name) => ({
        name,
        served: true,
        storage: name === "v1",
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        subresources: { status: {} },
      })),
    },
  });
  const approved = { "api-approved.kubernetes.io": "unapproved, for a comparison" };
  return [
    of("widgets", "example.com", "Widget", "Namespaced"),
    of("gadgets", "example.com", "Gadget", "Cluster"),
    of("clusterrolebindings", RBAC, "Foo", "Cluster", approved),
    of("validatingadmissionpolicies", "admissionregistration.k8s.io", "Foo", "Cluster", approved),
    of("widgets", "storage.k8s.io", "Widget", "Cluster", approved),
  ];
}

/** Definitions take some seconds to be served. */
async function eventually(side: Side, path: string): Promise<void> {
  for (let attempt = 0; attempt < 120; attempt++) {
    if ((await side.admin("GET", path)).code === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`set-up: ${path} is not served`);
}
