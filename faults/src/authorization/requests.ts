// Random requests: ordinary ones, and the same with paths, queries, headers and framing that two readers might understand differently. Writes are
// dry runs, so that both sides stay as they are.

import type { Random } from "../random.ts";
import { NAMES, NAMESPACES, USERS, usernameOf } from "./rights.ts";
import { ADMIN } from "./set-up.ts";

export interface GeneratedRequest {
  /** The user of the token. */
  readonly user: string;
  /** Its peculiarity, for the tally. */
  readonly kind: string;
  readonly bytes: string;
}

const RBAC = "apis/rbac.authorization.k8s.io/v1";
// biome-ignore format: one resource per line
const NAMESPACED: readonly (readonly [root: string, resource: string])[] = [
  ["api/v1", "configmaps"], ["api/v1", "configmaps"], ["api/v1", "secrets"], ["api/v1", "secrets"], ["api/v1", "pods"], ["api/v1", "serviceaccounts"],
  ["apis/apps/v1", "deployments"], [RBAC, "roles"], [RBAC, "rolebindings"], ["apis/example.com/v1", "widgets"], ["apis/example.com/v9", "widgets"],
];
// biome-ignore format: one resource per line
const CLUSTER: readonly (readonly [root: string, resource: string])[] = [
  ["api/v1", "namespaces"], ["api/v1", "nodes"], [RBAC, "clusterroles"], [RBAC, "clusterrolebindings"], ["apis/rbac.authorization.k8s.io/v9", "clusterrolebindings"],
  ["apis/example.com/v1", "gadgets"], ["apis/apiextensions.k8s.io/v1", "customresourcedefinitions"], ["apis/storage.k8s.io/v9", "widgets"],
  ["apis/admissionregistration.k8s.io/v1", "validatingadmissionpolicies"], ["apis/admissionregistration.k8s.io/v9", "validatingadmissionpolicies"],
];
const SUBRESOURCES = [
  "status",
  "scale",
  "log",
  "exec",
  "proxy",
  "token",
  "eviction",
  "finalize",
  "approval",
  "nothing",
  "status/more",
  "",
];
// biome-ignore format: one kind per line
const OTHER_PATHS = [
  "", "api", "apis", "api/v1", "apis/apps", "apis/apps/v1", "apis/rbac.authorization.k8s.io", "apis/rbac.authorization.k8s.io/v9", "apis/example.com/v1", "apis/x.y", "version", "healthz", "healthz/ping", "healthz/etcd",
  "livez", "readyz", "metrics", "metrics/slis", "openapi/v2", "openapi/v3", "openapi/v3/api/v1", "logs", "logs/x", "debug/pprof", "configz", ".well-known/openid-configuration", "openid/v1/jwks", "api/v1/watch", "nowhere",
];
const REVIEWS = [
  [
    "apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    '{"spec":{"resourceAttributes":{"verb":"get","resource":"secrets"}}}',
  ],
  ["apis/authorization.k8s.io/v1/selfsubjectrulesreviews", '{"spec":{"namespace":"az-a"}}'],
  [
    "apis/authorization.k8s.io/v1/subjectaccessreviews",
    '{"spec":{"user":"x","resourceAttributes":{"verb":"get","resource":"secrets"}}}',
  ],
  ["apis/authentication.k8s.io/v1/selfsubjectreviews", "{}"],
  ["apis/authentication.k8s.io/v1/tokenreviews", '{"spec":{"token":"x"}}'],
] as const;

/** Chooses with a seed. */
class Choice {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  of<T>(list: readonly T[]): T {
    return list[this.random(list.length)]!;
  }

  oneIn(number: number): boolean {
    return this.random(number) === 0;
  }
}

interface Draft {
  method: string;
  path: string;
  query: string[];
  headers: string[];
  body: string;
  kind: string;
}

export function randomRequest(random: Random): GeneratedRequest {
  const choice = new Choice(random);
  const user = choice.oneIn(4) ? ADMIN : choice.of(USERS);
  const draft = choice.oneIn(8) ? otherRequest(choice) : choice.oneIn(20) ? review(choice) : resourceRequest(choice);
  const twists = [oddPath, oddPath, oddQuery, oddQuery, oddHeaders, impersonation, impersonation];
  for (let left = random(3); left > 0; left--) choice.of(twists)(choice, draft);
  if (!["GET", "HEAD"].includes(draft.method)) draft.query.push("dryRun=All");
  const credentials = credentialsOf(choice, user, draft);
  const query = draft.query.length === 0 ? "" : `?${draft.query.join("&")}`;
  const length =
    draft.body === "" && draft.method === "GET" ? [] : [`Content-Length: ${Buffer.byteLength(draft.body)}`];
  const head = ["Host: localhost", "Connection: close", ...credentials, ...draft.headers, ...length];
  const bytes = `${draft.method} /${draft.path}${query} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n${draft.body}`;
  return { user, kind: draft.kind, bytes };
}

function otherRequest(choice: Choice): Draft {
  const method = choice.oneIn(6) ? choice.of(["POST", "HEAD", "DELETE", "OPTIONS"]) : "GET";
  return { method, path: choice.of(OTHER_PATHS), query: [], headers: [], body: "", kind: "path" };
}

function review(choice: Choice): Draft {
  const [path, body] = choice.of(REVIEWS);
  return { method: "POST", path, query: [], headers: ["Content-Type: application/json"], body, kind: "review" };
}

function resourceRequest(choice: Choice): Draft {
  const isNamespaced = !choice.oneIn(3);
  const [root, resource] = choice.of(isNamespaced ? NAMESPACED : CLUSTER);
  const namespace = choice.oneIn(10) ? choice.of(["default", "kube-system", "missing", ""]) : choice.of(NAMESPACES);
  const place = isNamespaced && !choice.oneIn(6) ? `namespaces/${namespace}/${resource}` : resource;
  const name = choice.oneIn(6) ? choice.of(["missing", "default", "a%2Fb", "..", ".", "%2e%2e"]) : choice.of(NAMES);
  const draft: Draft = { method: "GET", path: "", query: [], headers: [], body: "", kind: "plain" };
  const verb = choice.of([
    "get",
    "get",
    "get",
    "list",
    "list",
    "watch",
    "old",
    "old",
    "create",
    "update",
    "patch",
    "delete",
    "collection",
    "sub",
    "sub",
  ]);
  switch (verb) {
    case "get":
      draft.path = `${root}/${place}/${name}`;
      break;
    case "list":
      draft.path = `${root}/${place}`;
      break;
    case "watch":
      draft.path = `${root}/${place}`;
      draft.query.push(
        choice.of(["watch=1", "watch=true", "watch", "watch=0", "watch=f", "watch=False"]),
        "timeoutSeconds=1",
      );
      break;
    case "old":
      draft.path = `${root}/${choice.of(["watch", "watch", "proxy"])}/${place}${choice.oneIn(2) ? `/${name}` : ""}`;
      draft.method = choice.oneIn(6) ? choice.of(["POST", "DELETE", "HEAD"]) : "GET";
      draft.query.push("timeoutSeconds=1");
      draft.kind = "old path";
      break;
    case "create":
    case "update":
    case "patch":
      write(choice, draft, verb, `${root}/${place}`, { root, resource, name, namespace });
      break;
    case "delete":
      draft.method = "DELETE";
      draft.path = `${root}/${place}/${name}`;
      break;
    case "collection":
      draft.method = "DELETE";
      draft.path = `${root}/${place}`;
      break;
    default:
      draft.method = choice.of(["GET", "GET", "POST", "PUT", "PATCH", "DELETE"]);
      draft.path = `${root}/${place}/${name}/${choice.of(SUBRESOURCES)}`;
      draft.kind = "subresource";
      if (["POST", "PUT", "PATCH"].includes(draft.method))
        json(draft, draft.method === "PATCH" ? "application/merge-patch+json" : "application/json", "{}");
  }
  if (draft.method === "GET" && choice.oneIn(3)) selector(choice, draft);
  return draft;
}

function json(draft: Draft, type: string, body: string): void {
  draft.headers.push(`Content-Type: ${type}`);
  draft.body = body;
}

/** Roles and bindings in them grant rights that their author may not have. */
function write(
  choice: Choice,
  draft: Draft,
  verb: "create" | "update" | "patch",
  collection: string,
  { root, resource, name, namespace }: { root: string; resource: string; name: string; namespace: string },
): void {
  const isNew = verb === "create";
  const metadata = {
    name: isNew ? `new-${choice.random(1e6)}` : decodeURIComponent(name),
    ...(namespace !== "" && collection.includes("namespaces/") && { namespace }),
  };
  const roleRef = {
    apiGroup: "rbac.authorization.k8s.io",
    kind: "ClusterRole",
    name: choice.of(["cluster-admin", "system:discovery", "az-0"]),
  };
  const rules = [
    { apiGroups: [""], resources: [choice.of(["configmaps", "secrets", "*"])], verbs: [choice.of(["get", "*"])] },
  ];
  const more = resource.endsWith("bindings") ? { roleRef } : resource.endsWith("roles") ? { rules } : {};
  const apiVersion = root.replace(/^apis?\//, "");
  const kind = KINDS[resource];
  const object = { ...(kind !== undefined && { apiVersion, kind }), metadata, ...more };
  draft.method = { create: "POST", update: "PUT", patch: "PATCH" }[verb];
  draft.path = isNew ? collection : `${collection}/${name}`;
  draft.kind = "write";
  const type =
    verb === "patch"
      ? choice.of([
          "application/merge-patch+json",
          "application/apply-patch+yaml",
          "application/strategic-merge-patch+json",
        ])
      : "application/json";
  if (type.includes("apply")) draft.query.push("fieldManager=az");
  json(
    draft,
    type,
    JSON.stringify(
      verb === "patch" && !type.includes("apply") ? { metadata: { labels: { a: "b" } }, ...more } : object,
    ),
  );
}

const KINDS: Readonly<Record<string, string>> = {
  configmaps: "ConfigMap",
  secrets: "Secret",
  pods: "Pod",
  serviceaccounts: "ServiceAccount",
  deployments: "Deployment",
  roles: "Role",
  rolebindings: "RoleBinding",
  clusterroles: "ClusterRole",
  clusterrolebindings: "ClusterRoleBinding",
  widgets: "Widget",
  gadgets: "Gadget",
  namespaces: "Namespace",
};

function selector(choice: Choice, draft: Draft): void {
  const name = choice.of(NAMES);
  // biome-ignore format: one query per line
  draft.query.push(choice.of([
    `fieldSelector=metadata.name%3D${name}`, `fieldSelector=metadata.name%3D%3D${name}`, `fieldSelector=metadata.name=${name}`,
    `fieldSelector=metadata.name!%3D${name}`, `fieldSelector=metadata.name%3D${name},metadata.name%3D${choice.of(NAMES)}`,
    `fieldSelector=metadata.name%3D${name}&fieldSelector=metadata.name%3D${choice.of(NAMES)}`,
    `fieldSelector=metadata.name%3D${name}%2Cmetadata.namespace%3D${choice.of(NAMESPACES)}`, `fieldSelector=metadata.namespace%3D${choice.of(NAMESPACES)}`,
    `fieldSelector=metadata.name%3D${name}&limit=x`, `fieldSelector=metadata.name%3D${name}&labelSelector=%3D%3D`, "fieldSelector=metadata.name%3D", "fieldSelector=", "fieldSelector=%3D",
    "fieldSelector=metadata.name%3Da%2Fb", `labelSelector=app%3D${name}`, "labelSelector=app", "labelSelector=!app", `fieldSelector=metadata.name%3D${name};`, "fieldSelector=spec.nodeName%3Dx",
  ]));
  if (draft.kind === "plain") draft.kind = "selector";
}

function oddPath(choice: Choice, draft: Draft): void {
  const { path } = draft;
  const slashes = [...path.matchAll(/\//g)].map(({ index }) => index);
  const at = slashes.length === 0 ? 0 : choice.of(slashes);
  const letter = choice.random(path.length || 1);
  const insert = (text: string, where: number): string => path.slice(0, where) + text + path.slice(where);
  const replace = (text: string, where: number): string => path.slice(0, where) + text + path.slice(where + 1);
  const hex = (path.charCodeAt(letter) || 97).toString(16);
  draft.kind = "odd path";
  // biome-ignore format: one twist per line
  draft.path = choice.of([
    () => insert("/", at), () => `/${path}`, () => `${path}/`, () => `${path}//`, () => insert("/.", at), () => insert("/..", at), () => insert("/%2e", at), () => insert("/%2E%2e", at),
    () => (path[at] === "/" ? replace("%2F", at) : path), () => (path[at] === "/" ? replace("%2f", at) : path), () => (path[at] === "/" ? replace("\\", at) : path),
    () => (path[letter] === "%" || path[letter - 1] === "%" || path[letter - 2] === "%" ? path : replace(`%${choice.oneIn(2) ? hex : hex.toUpperCase()}`, letter)),
    () => `${path}%00`, () => `${path}%20`, () => `${path}%ff`, () => `${path}%zz`, () => `${path};x=1`, () => `${path}%3Fwatch=1`, () => `${path}#x`, () => `${path}.`, () => `${path}%2e`,
    () => path.toUpperCase(), () => insert("%", letter), () => insert(";", at), () => `%2F${path}`, () => `./${path}`, () => `x/../${path}`, () => path.replace("namespaces/", "namespaces//"),
  ])();
}

function oddQuery(choice: Choice, draft: Draft): void {
  draft.kind = "odd query";
  // biome-ignore format: one query per line
  draft.query.push(choice.of([
    "", "&", "%zz=1", "a=%", "watch=1;x=2", "resourceVersion=0", "resourceVersion=x", "limit=1", "limit=-1", "limit=", "pretty=true", "?watch=1", "timeout=1s", "timeout=x", "continue=x",
    "fieldSelector=metadata.name%3Daz-one", "watch=", "Watch=1", "watch%3D1", "export=1", "exact=1", "resource=secrets", "name=az-two", "namespace=az-b", "a=b=c", "a%00=b",
    "fieldValidation=Strict", "force=true", "gracePeriodSeconds=0", "propagationPolicy=Orphan",
  ]));
}

const bytesOf = (text: string): string => Buffer.from(text).toString("latin1");

function oddHeaders(choice: Choice, draft: Draft): void {
  const flood = (count: number): string[] => Array.from({ length: count }, (_, at) => `X${at}: 1`);
  draft.kind = "odd headers";
  // biome-ignore format: one set of headers per line
  draft.headers.push(...choice.of([
    () => flood(1_000), () => flood(2_200), () => ["X-HTTP-Method-Override: DELETE"], () => ["X-Remote-User: system:admin", "X-Remote-Group: system:masters"], () => ["Accept: application/json;as=Table;v=v1;g=meta.k8s.io"],
    () => ["Accept: application/json, */*"], () => ["Accept: text/html"], () => ["Accept: application/yaml", "Accept: application/json"], () => ["Content-Type: application/yaml"],
    () => ["Transfer-Encoding: identity"], () => ["Expect: 100-continue"], () => ["Upgrade: websocket"], () => ["Cookie: a=b"], () => ["X-Original-URL: /api/v1/secrets"], () => ["Accept-Encoding: gzip;q=0"], () => ["Host: other"],
  ])());
}

function impersonation(choice: Choice, draft: Draft): void {
  const other = usernameOf(choice.of(USERS));
  draft.kind = "impersonation";
  // biome-ignore format: one set of headers per line
  draft.headers.push(...choice.of([
    [`Impersonate-User: ${other}`], [`Impersonate-User: ${other}`], [`impersonate-user: ${other}`], [`Impersonate-User: ${other}`, `Impersonate-User: ${usernameOf(choice.of(USERS))}`],
    [`Impersonate-User: ${other}`, "Impersonate-Group: system:masters"], [`Impersonate-User: ${other}`, "Impersonate-Group: dev", "Impersonate-Group: system:masters"], ["Impersonate-Group: system:masters"],
    ["Impersonate-User:"], ["Impersonate-User: ", "Impersonate-Group: system:masters"], [`Impersonate-User: ${other},x`], ["Impersonate-User: system:admin"], ["Impersonate-User: system:anonymous"],
    [`Impersonate-User: ${other}`, "Impersonate-Uid: 1"], [`Impersonate-User: ${other}`, "Impersonate-Extra-scope: a"], [`Impersonate-User: ${other}`, "Impersonate-Extra-%2f: a"], ["Impersonate-Uid: 1"], ["Impersonate-Extra-x: 1"],
    [`Impersonate-User: ${bytesOf("jos\u00e9")}`], [...Array.from({ length: 2_100 }, (_, at) => `Y${at}: 1`), `Impersonate-User: ${other}`], ["Impersonate-User: system:node:n1", "Impersonate-Group: system:nodes"], ["Impersonate-User: dev"],
  ]));
}

function credentialsOf(choice: Choice, user: string, draft: Draft): readonly string[] {
  if (!choice.oneIn(12)) return [`Authorization: Bearer {{${user}}}`];
  draft.kind = "credentials";
  const other = choice.of(USERS);
  // biome-ignore format: one set of headers per line
  return choice.of([
    [`Authorization: Bearer {{${user}}}!`], [`Authorization: Bearer {{${user}}}=`], [`Authorization: Bearer {{${user}}}.`], [`Authorization: Bearer {{${user}}}A`], [`Authorization: Bearer {{${user}}} more`], [`Authorization: Bearer  {{${user}}}`],
    [`Authorization: bearer {{${user}}}`], [`Authorization: Basic {{${user}}}`], [`Authorization: Bearer {{${user}}}`, `Authorization: Bearer {{${other}}}`], ["Authorization: Bearer x", `Authorization: Bearer {{${other}}}`], [],
    [`authorization:Bearer {{${user}}}`], [`Authorization: Bearer\t{{${user}}}`], [`Authorization: {{${user}}}`],
  ]);
}
