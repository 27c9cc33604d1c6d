// The official suites, every case of them: what the parser makes of it, what the checker finds, what both ways of running it
// answer. A case that differs is listed in known-differences.ts, or the run fails; so it does when a listed one passes.

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

const runs: Readonly<Record<SuiteName, (one: Case) => string[]>> = {
  conformance: runCase,
  // The reference's own parser and checker tests say nothing of results.
  parsing: (one) => [...checkParsed(one), ...checkChecked(one)],
  checking: (one) => [...checkParsed(one), ...checkChecked(one)],
  comprehensions: (one) => [...checkParsed(one), ...checkChecked(one), ...checkFact(one)],
};

/** Complaints about a group: unexpected failures in full, and listed cases that pass. */
function report(cases: readonly Case[], run: (one: Case) => string[], known: Readonly<Record<string, string>>): string {
  const lines: string[] = [];
  for (const one of cases) {
    const complaints = run(one);
    const listed = Object.hasOwn(known, one.path);
    if (listed && complaints.length === 0) lines.push(`${one.path} passes: take it off the list of known differences`);
    if (!listed && complaints.length > 0)
      lines.push(`${one.path}\n  ${one.test.original.expr}\n  ${complaints.join("\n  ")}`);
  }
  return lines.join("\n\n");
}

describe.each(Object.keys(SIZES) as SuiteName[])("%s suite", (name) => {
  test(`has ${SIZES[name]} cases`, () => expect(suites[name].length).toBe(SIZES[name]));
  test.each(byGroup(suites[name]))("%s", (_, cases) => expect(report(cases, runs[name], knownDifferences)).toBe(""));
});

// The default, and what Kubernetes does: cel-go's answers where they differ from the suite's.
describe("conformance suite with the reference's semantics", () => {
  const run = (one: Case): string[] => checkResult(one, "reference");
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
