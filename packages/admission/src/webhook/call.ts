// One call of one webhook: version, dry run, transport, answer. A failed call is data: failurePolicy decides over it, but over
// nothing else. Upstream: apiserver pkg/admission/plugin/webhook/{mutating,validating}/dispatcher.go.

import { decodeBase64, decodeUtf8, isRecord, quoteGo, thrownText } from "@celadon/base";
import { Double } from "@celadon/cel";
import { Invalid } from "@celadon/kube/errors";
import { readDocument } from "@celadon/kube/read";
import { badRequest, type Status } from "@celadon/kube/status";
import { webhookAddress } from "@celadon/kube-cel/url";
import { answerBefore } from "../evaluate/deadline.ts";
import type { AdmissionRequest } from "../request.ts";
import { decodingProblem } from "./decode-response.ts";
import { type CheckedResponse, checkResponse, denialStatus } from "./response.ts";
import { buildReview, reviewVersion } from "./review.ts";
import type { Invocation } from "./select.ts";
import { type DispatchOptions, timeoutOf, type WebhookAnswer, type WebhookHosts } from "./transport.ts";

export type CallOutcome =
  | { readonly outcome: "allowed"; readonly answer: CheckedResponse }
  | { readonly outcome: "denied"; readonly status: Status; readonly answer: CheckedResponse }
  /** There was no answer that counts; failurePolicy applies. */
  | {
      readonly outcome: "failed";
      readonly reason: string /** The HTTP status, of an answer that was none. */;
      readonly code?: number;
    }
  /** Under every failurePolicy. */
  | { readonly outcome: "rejected"; readonly status: Status };

export async function callWebhook(
  request: AdmissionRequest,
  invocation: Invocation,
  hosts: WebhookHosts,
  options: DispatchOptions = {},
): Promise<CallOutcome> {
  const { webhook } = invocation;
  const { name, sideEffects, clientConfig } = webhook.webhook;
  if (request.dryRun === true) {
    if (sideEffects === undefined) return failed("Webhook SideEffects is nil");
    if (sideEffects !== "None" && sideEffects !== "NoneOnDryRun") {
      return { outcome: "rejected", status: badRequest(`admission webhook ${quoteGo(name)} does not support dry run`) };
    }
  }
  const version = reviewVersion(webhook.webhook);
  if (version === undefined) {
    const reason = "webhook does not accept known AdmissionReview versions (v1, v1beta1)";
    return failed(`could not create admission objects: ${reason}`);
  }
  const timeoutSeconds = timeoutOf(webhook, options);
  const address = webhookAddress(clientConfig ?? {}, timeoutSeconds);
  if (address === undefined) {
    return failed(`could not get REST client: webhook configuration must have either service or URL`);
  }
  const uid = madeUp(hosts);
  if (uid instanceof Invalid) return failed(`could not create admission objects: ${uid.message}`);
  const review = buildReview(request, invocation, version, uid);
  const body = await post(
    hosts,
    {
      webhook,
      ...address,
      ...(clientConfig?.caBundle !== undefined && { caBundle: clientConfig.caBundle }),
      timeoutSeconds,
      review,
    },
    options,
  );
  if ("problem" in body) return failed(`failed to call webhook: ${body.problem}`, body.code);
  const answer = checkResponse(body.value, version, uid, webhook.mutating);
  if (answer instanceof Invalid) return failed(`received invalid webhook response: ${answer.message}`);
  if (answer.allowed) return { outcome: "allowed", answer };
  return { outcome: "denied", status: denialStatus(name, answer.status), answer };
}

function madeUp(hosts: WebhookHosts): string | Invalid {
  try {
    return hosts.uid();
  } catch (thrown) {
    return new Invalid(thrownText(thrown));
  }
}

const failed = (reason: string, code?: number): CallOutcome => ({
  outcome: "failed",
  reason,
  ...(code !== undefined && { code }),
});

async function post(
  hosts: WebhookHosts,
  call: Parameters<WebhookHosts["transport"]["call"]>[0],
  { signal }: DispatchOptions,
): Promise<{ value: unknown } | { problem: string; code?: number }> {
  let answer: WebhookAnswer;
  try {
    answer = await answerBefore(hosts.transport.call(call), signal);
  } catch (thrown) {
    return { problem: thrownText(thrown) };
  }
  const read = readAnswer(answer);
  if (read instanceof Invalid) return { problem: read.message, ...(isFailure(answer) && { code: answer.status }) };
  const problem = wrongKind(read.value) ?? decodingProblem(read.value);
  return problem === undefined ? read : { problem };
}

function isFailure(answer: unknown): answer is WebhookAnswer {
  return isRecord(answer) && typeof answer.status === "number" && answer.status >= 300;
}

/** The JSON of a response, or a client's error for a response that is not JSON. */
export function readAnswer(answer: WebhookAnswer): { readonly value: unknown } | Invalid {
  if (!isRecord(answer) || typeof answer.status !== "number") return new Invalid("the transport gave no answer");
  const parsed = typeof answer.body === "string" ? readJson(answer.body) : answer.body;
  if (answer.status < 200 || answer.status > 206) return new Invalid(serverError(answer, parsed));
  return parsed instanceof Invalid ? parsed : { value: parsed };
}

/** Integers and doubles stay apart, as everywhere. */
export function readJson(text: string): unknown {
  const read = readDocument(text, { format: "json", double: (n: number) => new Double(n) });
  return "value" in read
    ? read.value
    : new Invalid(`couldn't get version/kind; json parse error: ${read[0]?.message ?? "no JSON"}`);
}

/** The one kind that needs no schema; other kinds need theirs, which is not available here. */
function wrongKind(body: unknown): string | undefined {
  if (!isRecord(body) || typeof body.kind !== "string" || body.kind === "" || body.kind === "AdmissionReview")
    return undefined;
  if (body.kind === "Status" && body.apiVersion === "v1") {
    return "converting (v1.Status) to (v1.AdmissionReview): unknown conversion";
  }
  return `no kind ${quoteGo(body.kind)} is registered for version ${quoteGo(String(body.apiVersion ?? ""))}`;
}

/** Turns an HTTP error into an error as a client does: the server's own Status, or words for the code. */
function serverError({ status, body, contentType = "" }: WebhookAnswer, parsed: unknown): string {
  if (
    isRecord(parsed) &&
    parsed.kind === "Status" &&
    typeof parsed.message === "string" &&
    parsed.status !== "Success"
  ) {
    return parsed.message;
  }
  const text = contentType.startsWith("text/") && typeof body === "string" ? body.trim() : "unknown";
  if (status === 403 || status === 415) return text;
  if (status === 406 && text !== "" && text !== "unknown") return text;
  const words = CODE_WORDS[status];
  if (words !== undefined) return words;
  if (status >= 500) return `an error on the server (${quoteGo(text)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}

const CODE_WORDS: Readonly<Record<number, string>> = {
  400: "the server rejected our request for an unknown reason",
  401: "the server has asked for the client to provide credentials",
  404: "the server could not find the requested resource",
  405: "the server does not allow this method on the requested resource",
  406: "the server was unable to respond with a content type that the client supports",
  409: "the server reported a conflict",
  422: "the server rejected our request due to an error in our request",
  429: "the server has received too many requests and has asked us to try again later",
  503: "the server is currently unable to handle the request",
  504: "the server was unable to return a response in the time allotted, but may still be processing the request",
};

/** The JSON of a patch and its text; an invalid patch is an error with the message of a failed call. */
export function decodePatch(base64: string): { readonly value: unknown; readonly text: string } | Invalid {
  const bytes = decodeBase64(base64);
  const text = typeof bytes === "number" ? undefined : decodeUtf8(bytes);
  if (text === undefined) return new Invalid("illegal base64 data");
  const value = readJson(text);
  return value instanceof Invalid ? value : { value, text };
}
