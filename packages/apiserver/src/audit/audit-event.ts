// One request as an event of the audit log. Upstream: apiserver pkg/apis/audit/v1.

import type { UserInfo } from "@celadon/admission";
import { isRecord } from "@celadon/base";
import type { Status } from "@celadon/kube/status";
import type { RequestInfo } from "../wire/request-info.ts";
import type { AuditDecision, AuditStage } from "./audit-policy.ts";

/** The fields of a request in an audit event. */
export interface AuditedRequest {
  readonly auditId: string;
  readonly uri: string;
  readonly info: RequestInfo;
  /** The authenticated user; absent for requests that are not authenticated. */
  readonly user: UserInfo | undefined;
  readonly impersonated: UserInfo | undefined;
  /** The verb that allowed the impersonation, where it is not the old one. */
  readonly impersonationConstraint?: string | undefined;
  readonly sourceIp: string;
  readonly userAgent: string | undefined;
  readonly code: number;
  /** The answer, where it is an error. */
  readonly failure: Status | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  /** The changes of the object by mutation; for levels from Request on. */
  readonly patchAnnotations: Readonly<Record<string, string>>;
  /** A watch: it is not over yet. */
  readonly isStream: boolean;
  /** The decoded request body; undefined when nothing was, or it cannot be read. */
  readonly requestObject: unknown;
  /** The answer as data. */
  responseObject(): unknown;
  /** The answer, where it is a Status of success: of a deletion, an eviction. */
  readonly success: Status | undefined;
  /** Milliseconds since the epoch. */
  readonly received: number;
  readonly finished: number;
}

export function auditEvent(
  request: AuditedRequest,
  stage: AuditStage,
  decision: AuditDecision,
): Record<string, unknown> {
  const { info, user, impersonated } = request;
  const isAnswered = stage !== "RequestReceived";
  const withObjects = decision.level === "Request" || decision.level === "RequestResponse";
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: decision.level,
    auditID: request.auditId,
    stage,
    requestURI: request.uri,
    verb: info.verb,
    user: user ?? {},
    ...(impersonated && { impersonatedUser: impersonated }),
    ...(request.impersonationConstraint && {
      authenticationMetadata: { impersonationConstraint: request.impersonationConstraint },
    }),
    sourceIPs: [request.sourceIp],
    ...(request.userAgent !== undefined && { userAgent: request.userAgent }),
    ...(info.isResource && { objectRef: { ...objectRef(info), ...(isAnswered && identityOf(request)) } }),
    ...(isAnswered && answered(request, stage, decision, withObjects)),
    requestReceivedTimestamp: microTime(request.received),
    stageTimestamp: microTime(isAnswered ? request.finished : request.received),
    ...(isAnswered && annotationsOf(request, withObjects)),
  };
}

function answered(
  request: AuditedRequest,
  stage: AuditStage,
  { level, omitManagedFields }: AuditDecision,
  withObjects: boolean,
): Record<string, unknown> {
  const { failure, code } = request;
  const shown = (object: unknown): unknown => (omitManagedFields ? withoutManagedFields(object) : object);
  const sent = withObjects ? request.requestObject : undefined;
  const isOver = stage === "ResponseComplete";
  const answer = level === "RequestResponse" && isOver ? request.responseObject() : undefined;
  return {
    responseStatus: statusOf(failure ?? request.success, code),
    ...(sent !== undefined && { requestObject: shown(sent) }),
    ...(answer !== undefined && { responseObject: shown(answer) }),
  };
}

/** Without its kind. */
function statusOf(status: Status | undefined, code: number): object {
  if (status === undefined) return { metadata: {}, code };
  const { kind: _, apiVersion: __, ...rest } = status;
  return { ...rest, code };
}

/** The identity that a written object states, where the path does not. */
function identityOf({ info, requestObject }: AuditedRequest): Record<string, string> {
  const sent = info.verb === "create" || info.verb === "update" ? requestObject : undefined;
  const { metadata } = isRecord(sent) ? sent : {};
  if (!isRecord(metadata)) return {};
  const { name, uid, resourceVersion } = metadata as Record<string, string | undefined>;
  return {
    ...(info.name === "" && name && { name }),
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
  };
}

function annotationsOf({ annotations, patchAnnotations }: AuditedRequest, withPatches: boolean): object {
  const all = withPatches ? { ...annotations, ...patchAnnotations } : annotations;
  return Object.keys(all).length > 0 ? { annotations: all } : {};
}

/** Removes managed fields of an object, or of the items of a list. */
function withoutManagedFields(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { items, metadata } = value;
  if (Array.isArray(items)) return { ...value, items: items.map(withoutManagedFields) };
  if (!isRecord(metadata) || metadata.managedFields === undefined) return value;
  const { managedFields: _, ...rest } = metadata;
  return { ...value, metadata: rest };
}

function objectRef({ resource, namespace, name, group, version, subresource }: RequestInfo): Record<string, string> {
  return {
    resource,
    ...(namespace !== "" && { namespace }),
    ...(name !== "" && { name }),
    ...(group !== "" && { apiGroup: group }),
    apiVersion: version,
    ...(subresource !== "" && { subresource }),
  };
}

function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "000Z");
}
