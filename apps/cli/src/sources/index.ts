// Where the inputs of verbs come from.

export { type AuditEvent, requestOfEvent } from "./audit-event.ts";
export { type SourceIssue, type SourceIssueCode, type SourceNote, sourceIssueText } from "./issue.ts";
export { parseKubeVersion, parseKubeVersions } from "./kube-version.ts";
export { type Loaded, type LoadOptions, loadManifests } from "./load.ts";
export { loadAt, loadOld, type Old, type OldOptions } from "./old.ts";
export type { Pairs } from "./pairs.ts";
export { showIssues, showNotes } from "./show-issues.ts";
export type { RecordedReview } from "./sort-values.ts";
