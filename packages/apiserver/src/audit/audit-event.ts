// One request as an event of the audit log. Upstream: apiserver pkg/apis/audit/v1.

import type { UserInfo } from "@celadon/admission";
import type { Status } from "@celadon/kube";
import type { RequestInfo } from "../wire/request-info.ts";

export type AuditLevel = "None" | "Metadata" | "Request" | "RequestResponse";

export interface AuditedRequest {
  readonly auditId: string;
  readonly uri: string;
  readonly info: RequestInfo;
  /** Who authenticated; absent when nobody did. */
  readonly user: UserInfo | undefined;
  readonly impersonated: UserInfo | undefined;
  readonly sourceIp: string;
  readonly userAgent: string | undefined;
  readonly code: number;
  /** The answer, where it is an error. */
  readonly failure: Status | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly received: number;
  readonly finished: number;
}

export function auditEvent(request: AuditedRequest, level: AuditLevel): Record<string, unknown> {
  const { info, user, impersonated, failure, code } = request;
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level,
    auditID: request.auditId,
    stage: "ResponseComplete",
    requestURI: request.uri,
    verb: info.verb,
    user: user ?? {},
    ...(impersonated && { impersonatedUser: impersonated }),
    sourceIPs: [request.sourceIp],
    ...(request.userAgent !== undefined && { userAgent: request.userAgent }),
    ...(info.isResource && { objectRef: objectRef(info) }),
    responseStatus: failure === undefined ? { metadata: {}, code } : failure,
    requestReceivedTimestamp: microTime(request.received),
    stageTimestamp: microTime(request.finished),
    ...(Object.keys(request.annotations).length > 0 && { annotations: request.annotations }),
  };
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
