// Webhooks that answer from memory: a declared or recorded answer for each, by the webhook's name. Webhooks without one are not called.

import { encodeBase64, encodeUtf8, isRecord, toExactJson } from "@celadon/base";
import type { WebhookAnswer, WebhookTransport } from "../webhook/transport.ts";
import type { CompiledWebhook } from "../webhook/webhook-set.ts";

/** The `response` of an AdmissionReview, where `patch` may be a list and `uid` is filled in; or an invalid response. */
export type DeclaredAnswer =
  | Readonly<Record<string, unknown>>
  | { readonly httpStatus: number; readonly body?: unknown };

/** Answers by the name of the webhook, or by `configuration/name` if two webhooks have the same name. */
export type DeclaredAnswers = Readonly<Record<string, DeclaredAnswer>>;

/** A transport that answers for webhooks from a table, without any network. */
export function answeringTransport(answers: DeclaredAnswers): WebhookTransport {
  const answerOf = ({ configuration, webhook }: CompiledWebhook): DeclaredAnswer | undefined =>
    [`${configuration}/${webhook.name}`, webhook.name].flatMap((key) =>
      Object.hasOwn(answers, key) ? [answers[key]!] : [],
    )[0];
  return {
    knows: (webhook) => answerOf(webhook) !== undefined,
    call: ({ webhook, review }): WebhookAnswer => {
      const answer: Record<string, unknown> = { ...answerOf(webhook) };
      if (typeof answer.httpStatus === "number") return { status: answer.httpStatus, body: answer.body ?? "" };
      const { patch } = answer;
      const isList = Array.isArray(patch);
      const response = {
        allowed: true,
        uid: review.request?.uid ?? "",
        ...answer,
        ...(isList && { patch: encodeBase64(encodeUtf8(toExactJson(patch))), patchType: "JSONPatch" }),
      };
      return { status: 200, body: { apiVersion: review.apiVersion, kind: "AdmissionReview", response } };
    },
  };
}

/** The problem of declared answers, if there is one. */
export function declaredAnswersProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return "must be an object: answers by the names of webhooks";
  const wrong = Object.entries(value).find(([, answer]) => !isRecord(answer));
  return wrong && `${wrong[0]}: must be an object`;
}
