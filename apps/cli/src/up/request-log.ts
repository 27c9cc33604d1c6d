// Requests as they are answered: a line for people, or JSON for machines.

import type { AuditedRequest } from "@celadon/apiserver";
import type { Paint } from "../output/paint.ts";
import { unbroken } from "../output/visible.ts";

export function requestLine(request: AuditedRequest, paint: Paint): string {
  const { code, info, failure } = request;
  const milliseconds = request.finished - request.received;
  const colour = code < 300 ? paint.green : code < 500 ? paint.yellow : paint.red;
  const as = request.impersonated?.username ?? request.user?.username ?? "nobody";
  const line = `${colour(String(code))} ${info.verb.padEnd(6)} ${request.uri} ${paint.dim(`${as}, ${milliseconds} ms`)}`;
  return failure?.message === undefined ? line : `${line}\n    ${unbroken(failure.message)}`;
}

export function requestJson(request: AuditedRequest): string {
  const { auditId, uri, info, code, user, impersonated, failure, received, finished } = request;
  return JSON.stringify({
    time: new Date(received).toISOString(),
    level: code < 500 ? "info" : "error",
    message: "request",
    verb: info.verb,
    uri,
    code,
    milliseconds: finished - received,
    user: user?.username,
    impersonated: impersonated?.username,
    error: failure?.message,
    auditId,
  });
}
