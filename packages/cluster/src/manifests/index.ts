// Manifests that install the programs: plain objects, from which YAML and the chart are written.

export { type ApproverManifestSettings, approverManifests } from "./approver.ts";
export { type AuditManifestSettings, auditManifests } from "./audit.ts";
export type { ManifestSettings } from "./settings.ts";
export { type WebhookManifestSettings, webhookManifests } from "./webhook.ts";
