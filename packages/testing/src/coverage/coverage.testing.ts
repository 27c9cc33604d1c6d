// Coverage of suites that are texts.

import type { SuiteReading } from "../suite/read/read-suite.ts";
import { type RunOptions, runSuite, type SuiteResult } from "../suite/run-suite.ts";
import { read, type Texts } from "../suite/suite.testing.ts";
import type { Suite } from "../suite/suite.ts";
import { CoverageCollector } from "./collector.ts";
import { type CoverageReport, type CoveredPoint, coverageReport, missedOf } from "./report.ts";
import { missingText } from "./words.ts";

export async function suiteFrom(text: string, files: Texts): Promise<Suite> {
  const { suite, issues }: SuiteReading = await read(text, files);
  if (suite === undefined) throw new Error(issues.map(({ message }) => message).join("\n"));
  return suite;
}

export interface Covered {
  readonly result: SuiteResult;
  readonly collector: CoverageCollector;
  readonly report: CoverageReport;
}

export async function cover(suite: Suite, options: RunOptions = {}): Promise<Covered> {
  const collector = new CoverageCollector();
  const result = await runSuite(suite, { ...options, observe: (_, simulated) => collector.watch(simulated) });
  if (result.issues.length > 0) throw new Error(result.issues.map(({ message }) => message).join("\n"));
  return { result, collector, report: coverageReport(collector, [suite.resources]) };
}

export const pointText = (point: CoveredPoint): string => `${missingText(point)}: ${point.text}`;

/** The missed points, as lines. */
export function missed({ policies }: CoverageReport): readonly string[] {
  return policies.flatMap((policy) => missedOf(policy).map(pointText));
}
