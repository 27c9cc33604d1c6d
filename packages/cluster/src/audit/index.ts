// Auditing the objects of a cluster: its policies, the objects to review, and reports of problems.

export { type AuditedOptions, auditedResources } from "./audited-resources.ts";
export { type ListAllOptions, listAll, type Unread } from "./list-all.ts";
export { REPORT_APIS, type ReportApi, type ReportedObject, type ReportResult, ReportWriter } from "./report-writer.ts";
export { type ClusterSetUp, fetchSetUp, type ReadSetUpOptions } from "./set-up.ts";
