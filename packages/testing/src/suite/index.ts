// Test suites: read, run, update.

export type { Difference } from "./compare.ts";
export { API_VERSION, SUITE_KIND, suiteSchema, VERDICTS } from "./format.ts";
export { type SuiteIssue, type SuiteIssueCode, suiteIssueText } from "./issue.ts";
export type { ObservedAnswers } from "./observed.ts";
export type { Expectation, ExpectedFailure, ExpectedText, Verdict } from "./read/document.ts";
export { readSuite, type SuiteReading, type SuiteSource } from "./read/read-suite.ts";
export {
  type CaseOutcome,
  type CaseResult,
  type CaseWatch,
  type RunOptions,
  runSuite,
  type SuiteResult,
} from "./run-suite.ts";
export type { Replace } from "./simulated-clusters.ts";
export { didYouMean } from "./suggest.ts";
export type { Case, Loaded, Loader, LoadIssue, Suite } from "./suite.ts";
export { isRecordable, type SuiteEdit, updatesOf } from "./update.ts";
