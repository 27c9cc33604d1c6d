// Policies enforced through webhooks, on any cluster.

export type { ServingCertificates } from "./certificates.ts";
export type { ConfigurationSettings } from "./configuration.ts";
export { OWN_GROUP, type PolicyGroup } from "./policy-objects.ts";
export { type WebhookOptions, WebhookProgram } from "./program.ts";
export type { Reviewed } from "./review.ts";
