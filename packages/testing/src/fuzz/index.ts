// Absence fuzzing of policies and definitions.

export type { FuzzCase, FuzzedExpression, FuzzFinding, FuzzNote, FuzzReport } from "./finding.ts";
export { DEFAULT_RUNS, type FuzzInput, type FuzzOptions, type FuzzProgress, fuzzPolicies } from "./fuzz.ts";
export type { Input } from "./inputs.ts";
export { type PolicyRequest, type PolicyRequestOptions, policyRequests } from "./policy-requests.ts";
