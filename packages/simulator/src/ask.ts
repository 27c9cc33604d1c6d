// What is asked of a cluster: an object to create, change or delete, by somebody. From it the admission request as the API server
// would build it, and what had to be assumed because the manifests do not say.

import type { AdmissionRequest, Operation, UserInfo } from "@celadon/admission";
import type { Resources } from "@celadon/admission/memory";
import {
  type GroupVersionKind,
  guessResource,
  gvkOf,
  gvkText,
  type KubeObject,
  nameOf,
  namespaceOf,
} from "@celadon/kube";

export interface Ask {
  /** What is created, or what it is changed to. For DELETE: what is deleted, unless `oldObject` says it. */
  readonly object?: KubeObject;
  readonly oldObject?: KubeObject;
  /** Without it: CONNECT for options of a connection, UPDATE where there is an old object, CREATE otherwise. */
  readonly operation?: Operation;
  readonly subresource?: string;
  readonly user?: UserInfo;
  /** Where the object names none. */
  readonly namespace?: string;
  readonly name?: string;
  readonly dryRun?: boolean;
  readonly options?: KubeObject | null;
  /** Of CONNECT: the resource connected to, where the kind of the options does not tell. */
  readonly resource?: string;
}

/** Who asks when nobody is named: kubectl's user in a fresh cluster. */
export const ADMINISTRATOR: UserInfo = {
  username: "kubernetes-admin",
  groups: ["system:masters", "system:authenticated"],
};

export interface BuiltRequest {
  readonly request: AdmissionRequest;
  readonly assumptions: readonly string[];
}

export function requestOf(ask: Ask, resources: Resources): BuiltRequest {
  const subject = ask.object ?? ask.oldObject ?? {};
  const connection = connectionOf(subject);
  const operation = ask.operation ?? (connection ? "CONNECT" : ask.oldObject === undefined ? "CREATE" : "UPDATE");
  const subresource = ask.subresource || (operation === "CONNECT" ? connection?.subresource : undefined);
  const assumptions: string[] = [];
  const target = targetOf(ask, operation, gvkOf(subject), subject, resources, assumptions);
  const name = ask.name ?? nameOf(ask.object ?? subject);
  const isNamespace = target.group === "" && target.resource === "namespaces";
  const namespace = isNamespace ? name : target.namespaced ? namespaceOf(subject) || (ask.namespace ?? "default") : "";
  const deleting = operation === "DELETE";
  const placed = (object: KubeObject | undefined): KubeObject | null =>
    object === undefined ? null : target.namespaced && !isNamespace ? inNamespace(object, namespace) : object;
  const request: AdmissionRequest = {
    kind: target.kind,
    resource: { group: target.group, version: target.version, resource: target.resource },
    ...(subresource && { subresource }),
    name,
    namespace,
    operation,
    userInfo: ask.user ?? ADMINISTRATOR,
    object: deleting ? null : operation === "CONNECT" ? (ask.object ?? null) : placed(ask.object),
    oldObject: deleting ? placed(ask.oldObject ?? ask.object) : placed(ask.oldObject),
    options: ask.options ?? defaultOptions(operation),
    dryRun: ask.dryRun ?? false,
  };
  return { request, assumptions };
}

/** What options of a connection are for; undefined for other objects. */
export function connectionOf(object: KubeObject): Connection | undefined {
  const { group, version, kind } = gvkOf(object);
  return group === "" && version === "v1" ? CONNECTIONS.get(kind) : undefined;
}

export interface Connection {
  readonly resource: string;
  readonly subresource: string;
}

const CONNECTIONS: ReadonlyMap<string, Connection> = new Map([
  ["PodExecOptions", { resource: "pods", subresource: "exec" }],
  ["PodAttachOptions", { resource: "pods", subresource: "attach" }],
  ["PodPortForwardOptions", { resource: "pods", subresource: "portforward" }],
  ["PodProxyOptions", { resource: "pods", subresource: "proxy" }],
  ["ServiceProxyOptions", { resource: "services", subresource: "proxy" }],
  ["NodeProxyOptions", { resource: "nodes", subresource: "proxy" }],
]);

interface Target {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: GroupVersionKind;
  readonly namespaced: boolean;
}

function targetOf(
  ask: Ask,
  operation: Operation,
  kind: GroupVersionKind,
  subject: KubeObject,
  resources: Resources,
  assumptions: string[],
): Target {
  if (operation === "CONNECT" || (ask.resource !== undefined && ask.resource !== "")) {
    const resource = ask.resource ?? connectionOf(subject)?.resource ?? "pods";
    return { group: "", version: "v1", resource, kind, namespaced: resource !== "nodes" };
  }
  const served = resources.ofKind(kind);
  if (served !== undefined) {
    const { group, version, resource, namespaced } = served;
    const own = { group, version, resource, namespaced };
    return { ...own, kind: served.subresources.get(ask.subresource ?? "") ?? kind };
  }
  const resource = guessResource(kind.kind);
  assumptions.push(
    `${gvkText(kind)} is not known: no CustomResourceDefinition among the inputs; taken for resource "${resource}"`,
  );
  return { group: kind.group, version: kind.version, resource, kind, namespaced: namespaceOf(subject) !== "" };
}

/** The API server fills in the namespace of the request. */
function inNamespace(object: KubeObject, namespace: string): KubeObject {
  if (namespaceOf(object) === namespace || namespace === "") return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}

function defaultOptions(operation: Operation): KubeObject | null {
  if (operation === "CONNECT") return null;
  const kind = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions" }[operation];
  return { apiVersion: "meta.k8s.io/v1", kind };
}
