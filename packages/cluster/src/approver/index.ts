// CertificateRequests approved and denied by policy, in a cluster with cert-manager.

export { type ApproverOptions, CertificateApprover } from "./approver.ts";
export { PolicyWebhook, type PolicyWebhookOptions } from "./policy-webhook.ts";
