// Events of the API server's audit log, and the admission request each one recorded. A log at level Request has objects as they were sent;
// RequestResponse has the stored objects as well. The old object of an update is in no log.

import type { AdmissionRequest, Operation, ResourceMapper, UserInfo } from "@celadon/admission";
import { isRecord, own } from "@celadon/base";
import { type GroupVersionResource, gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import type { Origin } from "@celadon/simulator/manifests";

export interface AuditEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  /** The user of the request. */
  readonly user: UserInfo;
  readonly resource: GroupVersionResource | undefined;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly requestObject: KubeObject | undefined;
  readonly responseObject: KubeObject | undefined;
  /** A Status; `code` is the HTTP code. */
  readonly responseStatus: Readonly<Record<string, unknown>> | undefined;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
}

const VERSIONS: ReadonlySet<unknown> = new Set(["audit.k8s.io/v1", "audit.k8s.io/v1beta1"]);

export function isAuditEvent(value: Readonly<Record<string, unknown>>): boolean {
  return own(value, "kind") === "Event" && VERSIONS.has(own(value, "apiVersion"));
}

export function readAuditEvent(value: Readonly<Record<string, unknown>>, origin: Origin): AuditEvent {
  const ref = record(own(value, "objectRef"));
  return {
    auditID: text(value, "auditID"),
    stage: text(value, "stage"),
    verb: text(value, "verb"),
    requestURI: text(value, "requestURI"),
    user: (record(own(value, "impersonatedUser")) ?? record(own(value, "user")) ?? {}) as UserInfo,
    resource: ref && {
      group: text(ref, "apiGroup"),
      version: text(ref, "apiVersion"),
      resource: text(ref, "resource"),
    },
    subresource: ref ? text(ref, "subresource") : "",
    namespace: ref ? text(ref, "namespace") : "",
    name: ref ? text(ref, "name") : "",
    requestObject: record(own(value, "requestObject")) as KubeObject | undefined,
    responseObject: record(own(value, "responseObject")) as KubeObject | undefined,
    responseStatus: record(own(value, "responseStatus")),
    annotations: record(own(value, "annotations")) ?? {},
    origin,
  };
}

const record = (value: unknown): Readonly<Record<string, unknown>> | undefined => (isRecord(value) ? value : undefined);

function text(value: Readonly<Record<string, unknown>>, key: string): string {
  const found = own(value, key);
  return typeof found === "string" ? found : "";
}

/** Subresources for connections, with every verb. */
const CONNECTS: ReadonlySet<string> = new Set(["exec", "attach", "portforward", "proxy"]);

const OPERATIONS: Readonly<Record<string, Operation>> = {
  create: "CREATE",
  update: "UPDATE",
  patch: "UPDATE",
  delete: "DELETE",
};

/** The request that admission saw, or why the event does not have it. */
export function requestOfEvent(event: AuditEvent, resources: ResourceMapper): AdmissionRequest | Invalid {
  const { resource, subresource, verb } = event;
  if (resource === undefined) return new Invalid("the event is not about a resource");
  if (event.stage !== "" && event.stage !== "ResponseComplete") {
    return new Invalid(`stage '${event.stage}' is not the end of a request`);
  }
  const operation = operationOf(event);
  if (operation === undefined) return new Invalid(`admission does not apply to verb '${verb}'`);
  const object = operation === "DELETE" ? null : objectOf(event);
  if (object === undefined && operation === "CONNECT") {
    return new Invalid(
      `connections (${subresource}) are logged without their options, at any level; to check one, write PodExecOptions or its like`,
    );
  }
  if (object === undefined)
    return new Invalid(`the event does not include the object; log at level ${levelFor(verb)} or higher`);
  const stored = operation === "DELETE" ? storedObject(event) : undefined;
  const kind = (object ?? stored) ? gvkOf((object ?? stored)!) : resources.kind(resource, subresource);
  if (kind === undefined) return new Invalid(`the kind of resource '${resource.resource}' is unknown`);
  const name = event.name || nameOf(object);
  const isNamespace = kind.kind === "Namespace" && kind.group === "";
  return {
    kind,
    resource,
    ...(subresource && { subresource }),
    ...(name && { name }),
    namespace: isNamespace ? name : event.namespace,
    operation,
    userInfo: event.user,
    object,
    oldObject: stored ?? null,
    options: optionsOf(operation, event.requestURI),
    dryRun: /[?&]dryRun=All(?:&|$)/.test(event.requestURI),
  };
}

function operationOf({ verb, subresource, responseStatus }: AuditEvent): Operation | undefined {
  if (CONNECTS.has(subresource)) return "CONNECT";
  // Server-side apply creates absent objects.
  if (verb === "patch" && responseStatus?.code === 201) return "CREATE";
  return Object.hasOwn(OPERATIONS, verb) ? OPERATIONS[verb] : undefined;
}

/** A patch is no object: its result is one, and an apply configuration is near enough if it was refused. */
function objectOf(event: AuditEvent): KubeObject | undefined {
  if (event.verb !== "patch") return event.requestObject;
  const applied = event.requestObject;
  return storedObject(event) ?? (applied && gvkOf(applied).kind !== "" ? applied : undefined);
}

function storedObject({ responseObject }: AuditEvent): KubeObject | undefined {
  const isStatus =
    responseObject !== undefined && responseObject.kind === "Status" && responseObject.apiVersion === "v1";
  return isStatus ? undefined : responseObject;
}

const levelFor = (verb: string): string => (verb === "patch" ? "RequestResponse" : "Request");

const OPTION_KINDS: Readonly<Record<Operation, string | undefined>> = {
  CREATE: "CreateOptions",
  UPDATE: "UpdateOptions",
  DELETE: "DeleteOptions",
  CONNECT: undefined,
};

function optionsOf(operation: Operation, uri: string): KubeObject | null {
  const kind = OPTION_KINDS[operation];
  if (kind === undefined) return null;
  const query = new URLSearchParams(uri.slice(uri.indexOf("?") + 1));
  const fieldManager = uri.includes("?") ? query.get("fieldManager") : null;
  return { kind, apiVersion: "meta.k8s.io/v1", ...(fieldManager && { fieldManager }) };
}
