// An answered request as the audit log gets it: data of the request, the user and the answer, without parsing anything again.

import type { IncomingMessage } from "node:http";
import { readJson, readStoredJson } from "@celadon/kube/read";
import type { Status } from "@celadon/kube/status";
import type { AuditedRequest } from "../audit/audit-event.ts";
import type { Served } from "../route/serve.ts";
import { JSON_TYPE } from "../wire/accept.ts";
import { type Answer, type Content, isStream } from "../wire/call.ts";
import type { NodeCall } from "./node-call.ts";

/** The audit event's view of a request that was answered, or of a watch that begins. */
export function auditedOf(
  request: IncomingMessage,
  call: NodeCall,
  { info, answer, notes, authenticated, impersonated, impersonationConstraint, failure, isAuthorized }: Served,
  auditId: string,
  received: number,
): AuditedRequest {
  return {
    auditId,
    uri: request.url ?? "",
    info,
    user: authenticated,
    impersonated,
    impersonationConstraint,
    sourceIp: call.remoteAddress,
    userAgent: call.header("user-agent"),
    code: answer.code,
    failure,
    annotations:
      authenticated === undefined
        ? notes.annotations
        : {
            "authorization.k8s.io/decision": isAuthorized ? "allow" : "forbid",
            "authorization.k8s.io/reason": "",
            ...notes.annotations,
          },
    patchAnnotations: notes.patchAnnotations,
    isStream: isStream(answer),
    requestObject: notes.sent,
    responseObject: () => answeredObject(answer),
    success: successOf(answer),
    received,
    finished: Date.now(),
  };
}

/** The answer as data, for the audit log. */
function answeredObject(answer: Answer): unknown {
  if (isStream(answer) || answer.type !== JSON_TYPE) return undefined;
  return answer.value ?? (typeof answer.body === "string" ? readJson(answer.body) : readStoredJson(answer.body));
}

/** The answer, where it is a Status of success. */
function successOf(answer: Answer): Status | undefined {
  const { kind } = (isStream(answer) ? {} : (answer.value ?? {})) as { kind?: unknown };
  return kind === "Status" ? ((answer as Content).value as Status) : undefined;
}
