// Running a suite of another tool: the converted cases, then the others, with the tool's expectation beside our result.

import { type CaseResult, type RunOptions, runSuite, type SuiteResult } from "../suite/run-suite.ts";
import type { Imported, Said, Tool } from "./imported.ts";

/** The results of a suite of another tool. */
export interface ImportedResult extends SuiteResult {
  /** The tool of the suite. */
  readonly tool: Tool;
}

/** Whether a result is of a suite of another tool. */
export function isImported(result: SuiteResult): result is ImportedResult {
  return Object.hasOwn(result, "tool");
}

/** Runs a suite of another tool as that tool would have its cases. */
export async function runImported(imported: Imported, options: RunOptions = {}): Promise<ImportedResult> {
  const { suite, tool, said, skipped } = imported;
  const { onCase, run } = options;
  const translated = (caseResult: CaseResult): CaseResult => {
    const about = said.get(caseResult.case);
    if (caseResult.result !== "fail" || about === undefined) return caseResult;
    const because = reasonOf(caseResult, about);
    const differences = caseResult.differences.map((difference) => {
      if (difference.aspect !== "verdict" && difference.aspect !== "matched") return difference;
      const note = [difference.note, because].filter((line) => line !== undefined).join("\n");
      return {
        ...difference,
        expected: `${difference.expected} (${tool}: ${about.expected})`,
        ...(note !== "" && { note }),
      };
    });
    return { ...caseResult, differences };
  };
  const result = await runSuite(suite, {
    ...options,
    ...(onCase && { onCase: (caseResult) => onCase(translated(caseResult)) }),
  });
  const cases = result.cases.map(translated);
  for (const { case: testCase, reason } of skipped) {
    const id = `${suite.name}/${testCase.name}`;
    if (result.issues.length > 0 || (run !== undefined && !run.test(id))) continue;
    const place = testCase.place && { place: testCase.place };
    const made: CaseResult = { id, case: testCase, result: "skip", differences: [], reason, milliseconds: 0, ...place };
    cases.push(made);
    onCase?.(made);
  }
  return { ...result, cases, tool };
}

/** An expression that failed is one thing, an object that no server would take another. */
function reasonOf({ observed }: CaseResult, { because = {} }: Said): string | undefined {
  if (observed?.verdict !== "error" || observed.failure?.by?.error) return because[observed?.verdict ?? ""];
  return "an API server rejects the object before it evaluates policies";
}
