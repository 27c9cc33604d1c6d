// One admission request as data, and the value expressions see of it.

import type { GroupVersionKind, GroupVersionResource, KubeObject } from "@celadon/kube";

/** The operation of a request on an object. */
export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** The user of a request. */
export interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A request in the version that the client used, which a policy may match in another. */
export interface AdmissionRequest {
  /** The kind of the object sent; of a subresource its own, such as `autoscaling/v1 Scale`. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource?: string;
  /** Empty or absent for the items of a deletecollection. */
  readonly name?: string;
  /** For Namespace objects the namespace's own name, as in the API server. */
  readonly namespace?: string;
  readonly operation: Operation;
  readonly userInfo?: UserInfo;
  readonly object?: KubeObject | null;
  readonly oldObject?: KubeObject | null;
  /** CreateOptions, UpdateOptions or DeleteOptions; null for CONNECT. */
  readonly options?: KubeObject | null;
  readonly dryRun?: boolean;
}

/** The variable `request`, with the resource and kind the policy matched. Empty fields are absent, as Go leaves them out. */
export function requestValue(
  request: AdmissionRequest,
  resource: GroupVersionResource,
  kind: GroupVersionKind,
): Readonly<Record<string, unknown>> {
  const { subresource, name, namespace, userInfo = {} } = request;
  const value: Record<string, unknown> = {
    kind: { group: kind.group, version: kind.version, kind: kind.kind },
    resource: { group: resource.group, version: resource.version, resource: resource.resource },
    requestKind: { group: request.kind.group, version: request.kind.version, kind: request.kind.kind },
    requestResource: {
      group: request.resource.group,
      version: request.resource.version,
      resource: request.resource.resource,
    },
    operation: request.operation,
    userInfo: userValue(userInfo),
    dryRun: request.dryRun ?? false,
    options: request.options ?? null,
  };
  if (subresource) {
    value.subResource = subresource;
    value.requestSubResource = subresource;
  }
  if (name) value.name = name;
  if (namespace) value.namespace = namespace;
  return value;
}

function userValue({ username, uid, groups, extra }: UserInfo): Readonly<Record<string, unknown>> {
  const value: Record<string, unknown> = {};
  if (username) value.username = username;
  if (uid) value.uid = uid;
  if (groups && groups.length > 0) value.groups = groups;
  if (extra && Object.keys(extra).length > 0) value.extra = extra;
  return value;
}

/** Is the request about a Namespace object (or a subresource of one)? */
export function isNamespaceKind({ group, version, kind }: GroupVersionKind): boolean {
  return kind === "Namespace" && version === "v1" && group === "";
}
