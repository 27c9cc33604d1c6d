// A request as users think of it: an object to create, update or delete, and a user. Makes the admission request that an API
// server would build, with the assumptions where the manifests lack information.

import type { AdmissionRequest, Operation, UserInfo } from "@celadon/admission";
import type { KnownResource, Resources } from "@celadon/admission/memory";
import { isRecord } from "@celadon/base";
import {
  type GroupVersionKind,
  guessResource,
  gvkOf,
  gvkText,
  type KubeObject,
  nameOf,
  namespaceOf,
} from "@celadon/kube";
import { isBuiltinGroup } from "@celadon/kube/types";
import { isSetUp } from "../manifest/roles.ts";
import { meantVersion } from "./meant-version.ts";

/** A request as users think of it: an object, an operation, a user. */
export interface IntendedRequest {
  /** The object to create, or its changed form. For DELETE the object to delete, unless `oldObject` has it. */
  readonly object?: KubeObject;
  readonly oldObject?: KubeObject;
  /** Without it: CONNECT for options of a connection, UPDATE of an old object or a status, CREATE otherwise. */
  readonly operation?: Operation;
  readonly subresource?: string;
  readonly user?: UserInfo;
  /** The namespace of objects that name none. */
  readonly namespace?: string;
  readonly name?: string;
  readonly dryRun?: boolean;
  readonly options?: KubeObject | null;
  /** The resource, `deployments.apps`, where the kind of the object does not tell: of subresources and connections. */
  readonly resource?: string;
}

/** The default user: kubectl's user in a new cluster. */
export const ADMINISTRATOR: UserInfo = {
  username: "kubernetes-admin",
  groups: ["system:masters", "system:authenticated"],
};

/** The request an API server would make of it, and the assumptions. */
export interface BuiltRequest {
  readonly request: AdmissionRequest;
  readonly assumptions: readonly string[];
}

/** Takes a value that is no object as an empty one. */
export function asObject(value: unknown): KubeObject {
  return isRecord(value) ? value : {};
}

/** The admission request that an API server would make. */
export function requestOf(given: IntendedRequest, resources: Resources): BuiltRequest {
  const ask = readable(given);
  const subject = ask.object ?? ask.oldObject ?? {};
  const connection = connectionOf(subject);
  const operation = ask.operation ?? (connection ? "CONNECT" : operationOf(ask));
  const assumptions: string[] = [];
  const subresource =
    ask.subresource ||
    (operation === "CONNECT" ? connection?.subresource : bodySubresource(ask, operation, resources, assumptions));
  const target = targetOf({ ...ask, ...(subresource && { subresource }) }, operation, subject, resources, assumptions);
  const name = ask.name ?? (nameOf(subject) || nameOf(ask.oldObject));
  const isNamespace = target.group === "" && target.resource === "namespaces";
  const written = namespaceOf(subject) || namespaceOf(ask.oldObject);
  const namespace = isNamespace ? name : target.namespaced ? written || (ask.namespace ?? "default") : "";
  const deleting = operation === "DELETE";
  const oldObject = deleting
    ? (ask.oldObject ?? ask.object)
    : (ask.oldObject ?? assumedOld(ask, operation, assumptions));
  const placed = (object: KubeObject | undefined): KubeObject | null =>
    object === undefined ? null : inNamespace(object, target.namespaced ? namespace : "");
  const dryRun = ask.dryRun ?? isDryRun(ask.options);
  const request: AdmissionRequest = {
    kind: target.kind,
    resource: { group: target.group, version: target.version, resource: target.resource },
    ...(subresource && { subresource }),
    name,
    namespace,
    operation,
    userInfo: ask.user ?? ADMINISTRATOR,
    object: deleting ? null : operation === "CONNECT" ? (ask.object ?? null) : placed(ask.object),
    oldObject: placed(oldObject),
    options: ask.options === undefined ? defaultOptions(operation, dryRun) : ask.options,
    dryRun,
  };
  return { request, assumptions };
}

/** Only objects, and the old one of the same kind as the new: a request has one kind. */
function readable({ object, oldObject, ...rest }: IntendedRequest): IntendedRequest {
  const after = object == null ? undefined : asObject(object);
  const before = oldObject == null ? undefined : asObject(oldObject);
  const stays = after === undefined || rest.subresource === "scale" || hasKind(before, gvkOf(after).kind);
  return {
    ...rest,
    ...(after && { object: after }),
    ...(before && { oldObject: stays ? before : { ...before, ...typeMetaOf(after) } }),
  };
}

function hasKind(object: KubeObject | undefined, kind: string): boolean {
  return object !== undefined && typeof object.apiVersion === "string" && object.kind === kind;
}

export function typeMetaOf({ apiVersion, kind }: KubeObject): Pick<KubeObject, "apiVersion" | "kind"> {
  return { ...(apiVersion !== undefined && { apiVersion }), ...(kind !== undefined && { kind }) };
}

/** Subresources that only change existing objects. */
const UPDATED: ReadonlySet<string> = new Set([
  "approval",
  "ephemeralcontainers",
  "finalize",
  "resize",
  "scale",
  "status",
]);

function operationOf({ oldObject, subresource = "" }: IntendedRequest): Operation {
  return oldObject !== undefined || UPDATED.has(subresource) ? "UPDATE" : "CREATE";
}

/** A kind without a resource of its own is sent to its subresource: an Eviction to `pods/eviction`. */
function bodySubresource(
  { object, resource }: IntendedRequest,
  operation: Operation,
  resources: Resources,
  assumptions: string[],
): string | undefined {
  if (operation !== "CREATE" || object === undefined || resource) return undefined;
  const kind = gvkOf(object);
  if (resources.ofKind(kind) !== undefined) return undefined;
  const sent = gvkText(kind);
  const taking = resources.served().flatMap((served) => {
    const found = [...served.subresources].find(([name, body]) => name !== "scale" && gvkText(body) === sent);
    return found === undefined ? [] : [{ resource: served.resource, subresource: found[0] }];
  });
  const [only] = taking;
  if (taking.length !== 1 || only === undefined) return undefined;
  assumptions.push(`assuming that ${kind.kind} is sent to ${only.resource}/${only.subresource}`);
  return only.subresource;
}

/** There is no update of nothing. */
function assumedOld({ object }: IntendedRequest, operation: Operation, assumptions: string[]): KubeObject | undefined {
  if (operation !== "UPDATE" || object === undefined) return undefined;
  assumptions.push("no old object is given; assuming that the update changes nothing");
  return object;
}

/** The connection that options are for; undefined for other objects. */
export function connectionOf(object: KubeObject): Connection | undefined {
  const { group, version, kind } = gvkOf(object);
  return group === "" && version === "v1" ? CONNECTIONS.get(kind) : undefined;
}

/** The target of a connection's options. */
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
  ask: IntendedRequest,
  operation: Operation,
  subject: KubeObject,
  resources: Resources,
  assumptions: string[],
): Target {
  const kind = gvkOf(subject);
  const { subresource = "" } = ask;
  if (operation === "CONNECT") {
    const resource = ask.resource ?? connectionOf(subject)?.resource ?? "pods";
    return { group: "", version: "v1", resource, kind, namespaced: resource !== "nodes" };
  }
  const served = servedFor(ask, kind, subresource, resources);
  if (served !== undefined) {
    const { group, version, resource, namespaced } = served;
    if (subresource !== "" && !served.subresources.has(subresource) && !isSetUp(subject)) {
      assumptions.push(`${resource} has no subresource "${subresource}"`);
    }
    const named = { group, version, kind: served.kind };
    return { group, version, resource, namespaced, kind: served.subresources.get(subresource) ?? named };
  }
  const resource = ask.resource || guessResource(kind.kind);
  const namespaced = namespaceOf(subject) !== "" || ask.namespace !== undefined;
  // In the groups of Kubernetes such a request ends, and where the group or version is another that is reported: nothing has to be assumed.
  const isOfOtherVersion = resources.served().some((other) => other.group === kind.group && other.kind === kind.kind);
  if (!isBuiltinGroup(kind.group) && !isOfOtherVersion && meantVersion(resources.served(), kind) === undefined) {
    const scope = namespaced ? "namespaced" : "cluster-scoped";
    assumptions.push(`assuming that ${gvkText(kind)} is the resource "${resource}", ${scope}`);
  }
  return { group: kind.group, version: kind.version, resource, kind, namespaced };
}

/** The requested resource: by its name, by the kind of the sent object, or of the object that it changes. */
function servedFor(
  { resource, oldObject }: IntendedRequest,
  kind: GroupVersionKind,
  subresource: string,
  resources: Resources,
): KnownResource | undefined {
  if (resource) {
    const [name, ...group] = resource.split(".");
    const named = resources.served().filter((servedResource) => servedResource.resource === name);
    return (
      named.find((servedResource) => servedResource.group === group.join(".")) ??
      (group.length === 0 ? named[0] : undefined)
    );
  }
  const own = resources.ofKind(kind);
  if (subresource === "" || own?.subresources.has(subresource)) return own;
  const old = oldObject && resources.ofKind(gvkOf(oldObject));
  if (old?.subresources.has(subresource)) return old;
  const sent = gvkText(kind);
  const serving = resources.served().filter(({ subresources }) => {
    const through = subresources.get(subresource);
    return through !== undefined && gvkText(through) === sent;
  });
  // Every workload has a Scale; only pods have evictions. A Binding is a separate resource too, and what `pods/binding` takes.
  return serving.length === 1 ? serving[0] : own;
}

/** The API server fills in the namespace of the request, and clears the one of a cluster-scoped object. */
function inNamespace(object: KubeObject, namespace: string): KubeObject {
  const written: unknown = object.metadata?.namespace;
  // An object that cannot be read is replaced only on request.
  if (object.metadata != null && !isRecord(object.metadata)) return object;
  if (namespaceOf(object) === namespace || (written != null && typeof written !== "string")) return object;
  const { namespace: _, ...metadata } = object.metadata ?? {};
  return { ...object, metadata: namespace === "" ? metadata : { ...metadata, namespace } };
}

/** Options as a client sends them, such as a dry run. */
function defaultOptions(operation: Operation, dryRun: boolean): KubeObject | null {
  if (operation === "CONNECT") return null;
  const kind = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions" }[operation];
  return { apiVersion: "meta.k8s.io/v1", kind, ...(dryRun && { dryRun: ["All"] }) };
}

function isDryRun(options: KubeObject | null | undefined): boolean {
  const { dryRun } = (options ?? {}) as { readonly dryRun?: unknown };
  return Array.isArray(dryRun) && dryRun.includes("All");
}
