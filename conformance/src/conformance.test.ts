// The official suites, every case of them: the result of the parser, the checker's findings, and the answers of both ways of running it. A
// case that differs is listed in known-differences.ts, or the run fails; so it does when a listed one passes.

import { describe, expect, test } from "vitest";
import { knownDifferences, referenceDifferences } from "./known-differences.ts";
import { checkChecked, checkFact, checkParsed, checkResult, checkUnchecked, runCase } from "./run-case.ts";
import { byGroup, type Case, type SuiteName, suites } from "./suite.ts";

const SIZES: Readonly<Record<SuiteName, number>> = {
  conformance: 2344,
  parsing: 194,
  checking: 135,
  comprehensions: 92,
};

const runs: Readonly<Record<SuiteName, (testCase: Case) => string[]>> = {
  conformance: runCase,
  // The reference's own parser and checker tests have no results.
  parsing: (testCase) => [...checkParsed(testCase), ...checkChecked(testCase)],
  checking: (testCase) => [...checkParsed(testCase), ...checkChecked(testCase)],
  comprehensions: (testCase) => [...checkParsed(testCase), ...checkChecked(testCase), ...checkFact(testCase)],
};

/** Complaints about a group: unexpected failures in full, and listed cases that pass. */
function report(
  cases: readonly Case[],
  run: (testCase: Case) => string[],
  known: Readonly<Record<string, string>>,
): string {
  const lines: string[] = [];
  for (const testCase of cases) {
    const complaints = run(testCase);
    const listed = Object.hasOwn(known, testCase.path);
    if (listed && complaints.length === 0)
      lines.push(`${testCase.path} passes: take it off the list of known differences`);
    if (!listed && complaints.length > 0)
      lines.push(`${testCase.path}\n  ${testCase.test.original.expr}\n  ${complaints.join("\n  ")}`);
  }
  return lines.join("\n\n");
}

describe.each(Object.keys(SIZES) as SuiteName[])("%s suite", (name) => {
  test(`has ${SIZES[name]} cases`, () => expect(suites[name].length).toBe(SIZES[name]));
  test.each(byGroup(suites[name]))("%s", (_, cases) => expect(report(cases, runs[name], knownDifferences)).toBe(""));
});

// The default, and what Kubernetes does: cel-go's answers where they differ from the suite's.
describe("conformance suite with the reference's semantics", () => {
  const run = (testCase: Case): string[] => checkResult(testCase, "reference");
  test.each(byGroup(suites.conformance))("%s", (_, cases) => expect(report(cases, run, referenceDifferences)).toBe(""));
  test.each(byGroup(suites.conformance))("%s, unchecked", (_, cases) =>
    expect(report(cases, checkUnchecked, {})).toBe(""),
  );
});

test("known differences name cases that exist", () => {
  const paths = new Set(Object.values(suites).flatMap((cases) => cases.map(({ path }) => path)));
  const listed = [...Object.keys(knownDifferences), ...Object.keys(referenceDifferences)];
  expect(listed.filter((path) => !paths.has(path))).toEqual([]);
});
