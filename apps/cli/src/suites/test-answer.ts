// The report of `test`: suites with their cases, in every format.

import { CURRENT } from "@celadon/kube-cel";
import type { CaseResult, SuiteResult } from "@celadon/testing";
import { requestSubject } from "../outcome/names.ts";
import { reviewedJson } from "../outcome/outcome-json.ts";
import { reviewedOf } from "../outcome/reviewed.ts";
import type { CommandReport, Level, ReportRow, Table } from "../output/answer.ts";
import { toYaml } from "../output/format/yaml.ts";
import { EXIT } from "../program/exit.ts";
import { matrixText } from "./matrix-text.ts";
import { differenceText, testText } from "./test-text.ts";
import { newestOnly, versionsOf } from "./versions.ts";

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

/** `rejected`: suites that were not run with a version, because it rejects their resources. */
export function testAnswer(
  suites: readonly SuiteResult[],
  verbose: boolean,
  rejected: readonly SuiteResult[] = [],
): CommandReport {
  const tally = tallyOf(suites);
  const kubeVersions = versionsOf([...suites, ...rejected]);
  const isMatrix = kubeVersions.length > 1;
  return {
    results: suites.flatMap((suite) => suite.cases.map((testCase) => resultOf(suite, testCase, isMatrix))),
    // Large, and most formats do without it.
    get document() {
      return {
        apiVersion: "celadon.dev/v1",
        kind: "TestReport",
        kubeVersions,
        summary: { suites: newestOnly(suites).length, ...tally },
        suites: suites.map(suiteJson),
      };
    },
    text: (paint) =>
      isMatrix ? matrixText(suites, rejected, tally, verbose, paint) : testText(suites, tally, verbose, paint),
    table: tableOf(suites, isMatrix),
    exit: tally.failed + tally.errors > 0 ? EXIT.failed : EXIT.ok,
  };
}

const LEVELS: Readonly<Record<CaseResult["result"], Level>> = {
  pass: "pass",
  fail: "fail",
  error: "error",
  skip: "skip",
};

function resultOf({ suite }: SuiteResult, result: CaseResult, isMatrix: boolean): ReportRow {
  const { kubeVersion = CURRENT } = suite;
  const { differences, reason = "", place, outcome, counterexample, milliseconds } = result;
  const subject = outcome && requestSubject(outcome.request);
  const message = differences.length === 0 ? reason : differences.map(differenceText).join("\n");
  return {
    group: isMatrix ? `${suite.name} (${kubeVersion})` : suite.name,
    name: result.case.name,
    level: LEVELS[result.result],
    rule: `test/${suite.name}`,
    ruleText: `cases of the suite ${suite.name}`,
    // Annotations show nothing else, so that it has to name the case.
    message: message === "" ? "" : `${result.case.name}${isMatrix ? ` with ${kubeVersion}` : ""}: ${message}`,
    ...(counterexample && { detail: toYaml([counterexample]) }),
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
    kubeVersion: suite.kubeVersion ?? CURRENT,
    cases: cases.map(
      ({ case: testCase, result, differences, reason, observed, outcome, counterexample, place, milliseconds }) => ({
        name: testCase.name,
        result,
        ...(observed && { verdict: observed.verdict }),
        ...(reason !== undefined && { reason }),
        differences,
        ...(counterexample && { counterexample }),
        ...(place && { file: place.file, line: place.line, column: place.column }),
        milliseconds,
        ...(observed && { cost: Object.fromEntries(observed.costs) }),
        ...(outcome && { outcome: reviewedJson(reviewedOf(testCase.object ?? { object: {} }, outcome)) }),
      }),
    ),
  };
}

function tableOf(suites: readonly SuiteResult[], isMatrix: boolean): Table {
  let id = 0;
  const rows = suites.flatMap(({ suite, cases }) =>
    cases.map(({ case: { name }, result, differences, reason = "" }) => {
      const why = differences.length === 0 ? reason : differences.map(differenceText).join("; ");
      const version = isMatrix ? [suite.kubeVersion ?? CURRENT] : [];
      return [String(++id), suite.name, ...version, name, result, why.replaceAll("\n", " ")];
    }),
  );
  return { columns: ["ID", "SUITE", ...(isMatrix ? ["VERSION"] : []), "CASE", "RESULT", "REASON"], rows };
}
