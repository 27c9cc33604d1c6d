// Admission webhooks: their configurations, which are called for a request, and the protocol spoken with them.

export { acceptConfiguration } from "./accept.ts";
export { AuditNotes } from "./audit.ts";
export { type CallOutcome, callWebhook } from "./call.ts";
export * from "./configuration.ts";
export { type DecodedConfiguration, decodeConfiguration, defaultConfiguration, withGeneration } from "./defaults.ts";
export { admitMutating, bothPasses, dispatchMutating, type MutatingReport } from "./mutating.ts";
export { denialStatus, type Judged, judgeResponse } from "./response.ts";
export {
  type AdmissionReview,
  buildReview,
  type ReviewRequest,
  type ReviewResponse,
  type ReviewVersion,
  reviewVersion,
} from "./review.ts";
export { type Invocation, invocationText, type Selection, selectWebhook } from "./select.ts";
export { answerReview, type ReadReview, readReview } from "./serve.ts";
export {
  addressOf,
  type DispatchOptions,
  type WebhookAnswer,
  type WebhookCall,
  type WebhookHosts,
  type WebhookTransport,
} from "./transport.ts";
export { configurationWarnings, REVIEW_VERSIONS, validateConfiguration } from "./validate.ts";
export { type CallReport, type DispatchReport, dispatchValidating, selectWebhooks } from "./validating.ts";
export { type CompiledWebhook, compileConfiguration, type WebhookChange, WebhookSet } from "./webhook-set.ts";
