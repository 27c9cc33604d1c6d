type Outcome = "passed" | "failed" | "skipped";
export function goTests(output: string): Map<string, Outcome>;
export function ginkgoTests(report: readonly { readonly SpecReports: readonly object[] }[]): Map<string, Outcome>;
export function scriptTests(output: string): Map<string, Outcome>;
