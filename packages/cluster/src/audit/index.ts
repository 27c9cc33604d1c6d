// What is already in a cluster, for those who judge it: what decides there, which objects to look at, and reports of what was found.

export { type AuditedOptions, auditedResources } from "./audited-resources.ts";
export { type ListAllOptions, listAll, type Unread } from "./list-all.ts";
export { type ReportedObject, type ReportResult, ReportWriter } from "./report-writer.ts";
export { type ClusterSetUp, fetchSetUp, type SetUpOptions } from "./set-up.ts";
