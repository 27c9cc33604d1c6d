// Where the inputs of verbs come from.

export { type AuditEvent, requestOfEvent } from "./audit-event.ts";
export { type SourceIssue, type SourceIssueCode, type SourceNote, sourceIssueText } from "./issue.ts";
export { type Loaded, type LoadOptions, loadManifests } from "./load.ts";
export type { RecordedReview } from "./sort-values.ts";
