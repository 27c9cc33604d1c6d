// Admission webhooks: their configurations, which are called for a request, and the protocol.

export { acceptConfiguration } from "./accept.ts";
export { readAnswer } from "./call.ts";
export { webhookFindings } from "./condition-findings.ts";
export * from "./configuration.ts";
export { decodeConfiguration, defaultConfiguration, withGeneration } from "./defaults.ts";
export { admitMutating, type MutatingReport } from "./mutating.ts";
export type { AdmissionReview, ReviewRequest, ReviewResponse, ReviewVersion } from "./review.ts";
export type { WebhookSelection } from "./select.ts";
export { answerReview, readReview } from "./serve.ts";
export type { DispatchOptions, WebhookAnswer, WebhookCall, WebhookHosts, WebhookTransport } from "./transport.ts";
export { configurationWarnings, validateConfiguration } from "./validate.ts";
export { type DispatchReport, dispatchValidating, selectWebhooks, statusOf } from "./validating.ts";
export { type CompiledWebhook, type WebhookChange, WebhookSet } from "./webhook-set.ts";
