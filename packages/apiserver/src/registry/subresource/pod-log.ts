// pods/log: the options of the query, and the answers where there is no log. Upstream: kubernetes pkg/apis/core/validation (PodLogOptions),
// pkg/registry/core/pod/strategy.go.

import { quoteGo } from "@celadon/base";
import { type FieldError, forbiddenField, invalidValue } from "@celadon/kube/errors";
import { badRequest, internalError, invalidObject, notFound } from "@celadon/kube/status";
import type { Answer } from "../../wire/call.ts";
import { StatusError } from "../../wire/status-error.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import { checkContainer, find, nodeOf } from "./locations.ts";

/** A pod without a node has an empty log. */
export async function podLog(services: Services, { query, resource, namespace, name }: Exchange): Promise<Answer> {
  const errors = optionErrors(query);
  if (errors.length > 0) throw new StatusError(invalidObject({ group: "", kind: "PodLogOptions" }, name, errors));
  const pod = await find(services, "pods", namespace, name);
  if (pod === undefined) throw new StatusError(notFound(resource, name));
  checkContainer(pod, query.get("container") ?? "");
  if ((await nodeOf(services, pod)) !== undefined) {
    throw new StatusError(internalError("logs are read from nodes, and this server does not connect to them"));
  }
  return { code: 204, type: "text/plain", body: "" };
}

function optionErrors(query: URLSearchParams): readonly FieldError[] {
  const tailLines = integerOf(query, "tailLines");
  const limitBytes = integerOf(query, "limitBytes");
  const sinceSeconds = integerOf(query, "sinceSeconds");
  const sinceTime = timeOf(query);
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0n) {
    errors.push(invalidValue("tailLines", tailLines, "must be greater than or equal to 0"));
  }
  if (limitBytes !== undefined && limitBytes < 1n) {
    errors.push(invalidValue("limitBytes", limitBytes, "must be greater than 0"));
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    errors.push(forbiddenField("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1n) {
    errors.push(invalidValue("sinceSeconds", sinceSeconds, "must be greater than 0"));
  }
  if (query.has("stream")) errors.push(forbiddenField("stream", "may not be specified"));
  return errors;
}

/** Throws a StatusError, in Go's words, where the text is no integer of 64 bits. */
function integerOf(query: URLSearchParams, name: string): bigint | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const problem = (why: string): StatusError =>
    new StatusError(badRequest(`strconv.ParseInt: parsing ${quoteGo(text)}: ${why}`));
  if (!/^[+-]?\d+$/.test(text)) throw problem("invalid syntax");
  const value = BigInt(text.replace("+", ""));
  if (BigInt.asIntN(64, value) !== value) throw problem("value out of range");
  return value;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function timeOf(query: URLSearchParams): string | undefined {
  const text = query.get("sinceTime");
  if (text === null || text === "" || TIME.test(text)) return text || undefined;
  const part = /^\d{4}/.test(text) ? text.slice(4) : text;
  const wanted = part === text ? "2006" : "-";
  const problem = `parsing time ${quoteGo(text)} as "2006-01-02T15:04:05Z07:00": cannot parse ${quoteGo(part)} as ${quoteGo(wanted)}`;
  throw new StatusError(badRequest(problem));
}
