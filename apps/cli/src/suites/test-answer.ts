// The report of `test`: suites with their cases, in every format.

import type { CaseResult, SuiteResult } from "@celadon/testing";
import { requestSubject } from "../outcome/names.ts";
import { reviewedJson } from "../outcome/outcome-json.ts";
import { reviewedOf } from "../outcome/reviewed.ts";
import type { CommandReport, Level, ReportRow, Table } from "../output/answer.ts";
import { EXIT } from "../program/exit.ts";
import { differenceText, testText } from "./test-text.ts";

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  readonly skipped: number;
}

export function tallyOf(suites: readonly SuiteResult[]): Tally {
  const count = (result: CaseResult["result"]): number =>
    suites.reduce((sum, { cases }) => sum + cases.filter((testCase) => testCase.result === result).length, 0);
  return { passed: count("pass"), failed: count("fail"), errors: count("error"), skipped: count("skip") };
}

export function testAnswer(suites: readonly SuiteResult[], verbose: boolean): CommandReport {
  const tally = tallyOf(suites);
  return {
    results: suites.flatMap((suite) => suite.cases.map((testCase) => resultOf(suite, testCase))),
    // Large, and most formats do without it.
    get document() {
      return {
        apiVersion: "celadon.dev/v1",
        kind: "TestReport",
        summary: { suites: suites.length, ...tally },
        suites: suites.map(suiteJson),
      };
    },
    text: (paint) => testText(suites, tally, verbose, paint),
    table: tableOf(suites),
    exit: tally.failed + tally.errors > 0 ? EXIT.failed : EXIT.ok,
  };
}

const LEVELS: Readonly<Record<CaseResult["result"], Level>> = {
  pass: "pass",
  fail: "fail",
  error: "error",
  skip: "skip",
};

function resultOf({ suite }: SuiteResult, result: CaseResult): ReportRow {
  const { differences, reason = "", place, outcome, milliseconds } = result;
  const subject = outcome && requestSubject(outcome.request);
  const message = differences.length === 0 ? reason : differences.map(differenceText).join("\n");
  return {
    group: suite.name,
    name: result.case.name,
    level: LEVELS[result.result],
    rule: `test/${suite.name}`,
    ruleText: `cases of the suite ${suite.name}`,
    // Annotations show nothing else, so that it has to name the case.
    message: message === "" ? "" : `${result.case.name}: ${message}`,
    policy: suite.name,
    policyRule: result.case.name,
    ...(place && { place: { file: place.file, line: place.line, column: place.column } }),
    system: "test",
    ...(subject && { subject }),
    seconds: milliseconds / 1000,
  };
}

function suiteJson({ suite, cases }: SuiteResult): Readonly<Record<string, unknown>> {
  return {
    name: suite.name,
    file: suite.origin.file,
    cases: cases.map(({ case: testCase, result, differences, reason, observed, outcome, place, milliseconds }) => ({
      name: testCase.name,
      result,
      ...(observed && { verdict: observed.verdict }),
      ...(reason !== undefined && { reason }),
      differences,
      ...(place && { file: place.file, line: place.line, column: place.column }),
      milliseconds,
      ...(observed && { cost: Object.fromEntries(observed.costs) }),
      ...(outcome && { outcome: reviewedJson(reviewedOf(testCase.object ?? { object: {} }, outcome)) }),
    })),
  };
}

function tableOf(suites: readonly SuiteResult[]): Table {
  let id = 0;
  const rows = suites.flatMap(({ suite, cases }) =>
    cases.map(({ case: { name }, result, differences, reason = "" }) => {
      const why = differences.length === 0 ? reason : differences.map(differenceText).join("; ");
      return [String(++id), suite.name, name, result, why.replaceAll("\n", " ")];
    }),
  );
  return { columns: ["ID", "SUITE", "CASE", "RESULT", "REASON"], rows };
}
