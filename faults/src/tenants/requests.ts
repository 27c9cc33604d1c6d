// Requests as a tenant may write them: one intent in many forms, and forms that may mean something else to the server than to the
// authorizer.

import type { Random } from "../random.ts";
import type { Intent } from "./rights.ts";
import { NAMES, NAMESPACES, objectOf, pick, RESOURCES, VERBS } from "./world.ts";

export interface TenantRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Its intent; undefined if no tenant may have it. */
  readonly intent: Intent | undefined;
  /** Whether a tenant with the right must not be forbidden; other writings of a request may fail all the same. */
  readonly isPlain: boolean;
}

const METHODS: Readonly<Record<string, string>> = {
  get: "GET",
  list: "GET",
  watch: "GET",
  create: "POST",
  update: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  deletecollection: "DELETE",
};
const NAMED = new Set(["get", "update", "patch", "delete"]);
const PATCHES = [
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];

export function randomRequest(random: Random): TenantRequest {
  const trick = random(8) === 0 ? pick(random, TRICKS) : undefined;
  return trick === undefined ? plainRequest(random) : trick(random);
}

function plainRequest(random: Random): TenantRequest {
  const verb = pick(random, VERBS);
  const resource = pick(random, Object.keys(RESOURCES));
  const everywhere = (verb === "list" || verb === "watch") && random(5) === 0;
  const namespace = everywhere ? undefined : pick(random, NAMESPACES);
  const isNamed = NAMED.has(verb);
  const isSelected = (verb === "list" || verb === "watch") && random(3) === 0;
  const name = isNamed || isSelected ? pick(random, NAMES) : undefined;
  const { root } = RESOURCES[resource]!;
  const isOldWatch = verb === "watch" && random(3) === 0;
  const at = `${root}${isOldWatch ? "/watch" : ""}${namespace === undefined ? "" : `/namespaces/${namespace}`}/${resource}`;
  const query = new URLSearchParams();
  if (verb === "watch" && !isOldWatch) query.set("watch", "1");
  if (verb === "watch") query.set("timeoutSeconds", "1");
  if (isSelected) query.set("fieldSelector", `metadata.name=${name}`);
  if (verb === "list" && random(4) === 0) query.set("limit", "1");
  // Collections are deleted in words only, or nothing would be left for others.
  if (verb !== "get" && verb !== "list" && verb !== "watch" && (verb === "deletecollection" || random(3) === 0)) {
    query.set("dryRun", "All");
  }
  const path = `${at}${isNamed ? `/${name}` : ""}${query.size > 0 ? `?${query}` : ""}`;
  const intent = { verb, resource, namespace, name };
  const made = verb === "create" ? pick(random, NAMES) : (name ?? "");
  const type = verb === "patch" ? pick(random, PATCHES) : "application/json";
  const hasBody = verb === "create" || verb === "update" || verb === "patch";
  const body = hasBody ? JSON.stringify(objectOf(resource, namespace ?? "", made)) : undefined;
  const managed = type.includes("apply") ? `${path}${path.includes("?") ? "&" : "?"}fieldManager=t&force=true` : path;
  return {
    method: METHODS[verb]!,
    path: managed,
    headers: { ...(hasBody && { "content-type": type }) },
    body,
    intent,
    isPlain: !(isOldWatch && isSelected),
  };
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}): TenantRequest => {
  return { method: "GET", path, headers, body: undefined, intent: undefined, isPlain: false };
};

/** A list of the secrets of a namespace in another writing: for tenants who may list them. */
function listOfSecrets(
  random: Random,
  written: (path: string) => string,
  headers: Readonly<Record<string, string>> = {},
): TenantRequest {
  const namespace = pick(random, NAMESPACES);
  const path = written(`/api/v1/namespaces/${namespace}/secrets`);
  return { ...get(path, headers), intent: { verb: "list", resource: "secrets", namespace, name: undefined } };
}

const secretsIn = (random: Random): string => `/api/v1/namespaces/${pick(random, NAMESPACES)}/secrets`;

/** Requests that may succeed only for an administrator, or whose answer must show only the tenant's own objects. */
const TRICKS: readonly ((random: Random) => TenantRequest)[] = [
  // Another object than the named one.
  (random) => {
    const [namespace, name, other] = [pick(random, NAMESPACES), pick(random, NAMES), pick(random, NAMES)];
    const path = `/api/v1/watch/namespaces/${namespace}/secrets/${name}?fieldSelector=metadata.name=${other}&timeoutSeconds=1`;
    return {
      ...get(path),
      intent: name === other ? { verb: "watch", resource: "secrets", namespace, name } : undefined,
    };
  },
  // Somebody else.
  (random) => get(secretsIn(random), { "impersonate-user": "celadon-admin", "impersonate-group": "system:masters" }),
  (random) => ({
    ...get(secretsIn(random), {
      ...Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`x-${i}`, "1"])),
      "impersonate-user": "celadon-admin",
      "impersonate-group": "system:masters",
    }),
  }),
  (random) =>
    listOfSecrets(random, (path) => path, { "x-remote-user": "celadon-admin", "x-remote-group": "system:masters" }),
  // More rights.
  (random) => escalation(pick(random, NAMESPACES), random(1_000_000)),
  (random) =>
    definitionOver(
      pick(random, ["clusterrolebindings.rbac.authorization.k8s.io", "flowschemas.flowcontrol.apiserver.k8s.io"]),
    ),
  // A level of one's own that waits for nobody.
  (random) => ({
    ...get("/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas"),
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      apiVersion: "flowcontrol.apiserver.k8s.io/v1",
      kind: "FlowSchema",
      metadata: { name: `mine-${random(1_000)}` },
      spec: { priorityLevelConfiguration: { name: "exempt" }, matchingPrecedence: 2, rules: [] },
    }),
  }),
  // Other writings of a path.
  (random) => listOfSecrets(random, (path) => path.replace("/secrets", "//secrets")),
  (random) => listOfSecrets(random, (path) => path.replace("secrets", "%73ecrets%2f")),
  (random) => get(`/api/v1/namespaces/${pick(random, NAMESPACES)}/configmaps/../secrets`),
  (random) => get(`/api/v1/proxy${secretsIn(random).slice("/api/v1".length)}`),
  (random) => get(`/debug/api_priority_and_fairness/dump_requests?includeRequestDetails=${random(9)}`),
];

function escalation(namespace: string, number: number): TenantRequest {
  const body = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name: `mine-${number}` },
    subjects: [{ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: "system:authenticated" }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
  };
  const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`;
  return { ...get(path), method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

function definitionOver(name: string): TenantRequest {
  const [plural = "", ...group] = name.split(".");
  const names = { plural, singular: "thing", kind: "Thing", listKind: "ThingList" };
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } };
  const body = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name, annotations: { "api-approved.kubernetes.io": "https://example.com" } },
    spec: { group: group.join("."), names, scope: "Cluster", versions: [version] },
  };
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  return { ...get(path), method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
