// Policies enforced through webhooks, on any cluster.

export { ownDefinitions } from "@celadon/admission/proposals";
export type { ServingCertificates } from "../program/certificates.ts";
export { AUTHORIZER_SOURCES, type AuthorizerSource } from "./cluster-view.ts";
export type { ConfigurationSettings } from "./configuration.ts";
export { OWN_GROUP, type PolicyGroup } from "./policy-objects.ts";
export { type WebhookOptions, WebhookProgram } from "./program.ts";
export type { ReviewedRequest } from "./review.ts";
