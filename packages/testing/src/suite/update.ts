// The changes that `--update` writes: values that came, where a case expected others and its verdict holds, or where it expects nothing
// yet. Verdicts are never changed: a test that turns with the policy tests nothing.

import type { JsonPath } from "@celadon/base";
import type { Outcome } from "@celadon/simulator";
import { annotationOf, messageOf, sameVerdict, statusMessageOf, totalCost } from "./compare.ts";
import { validationOf } from "./match-failures.ts";
import { mutationsMade } from "./match-mutations.ts";
import type { ObservedAnswers } from "./observed.ts";
import type { CostCeiling, Expectation, ExpectedFailure, Verdict } from "./read/document.ts";
import type { CaseResult, SuiteResult } from "./run-suite.ts";

/** A value to put in the suite's document. */
export interface SuiteEdit {
  readonly path: JsonPath;
  readonly value: unknown;
}

/** The values that `--update` writes into a suite. */
export function updatesOf({ cases }: SuiteResult): readonly SuiteEdit[] {
  return cases.flatMap((result) => editsOf(result));
}

function editsOf({ case: testCase, result, observed, outcome, differences }: CaseResult): readonly SuiteEdit[] {
  if (observed === undefined || outcome === undefined || result === "pass" || result === "skip") return [];
  const own: JsonPath = [...testCase.path, "expect"];
  const { expect } = testCase;
  if (expect === undefined) {
    return isRecordable(observed.verdict) ? [{ path: own, value: firstExpectation(observed, outcome) }] : [];
  }
  if (expect.verdict !== undefined && !sameVerdict(expect.verdict, observed.verdict)) return [];
  if (differences.some(({ aspect }) => aspect === "verdict" || aspect === "matched" || aspect === "allowed")) return [];
  const changed = changedFields(
    expect,
    new Set(differences.map(({ aspect }) => aspect.split(".")[0]!)),
    observed,
    outcome,
  );
  // An expectation that several cases share is left to the others.
  const isOwn = testCase.expectPath.length === own.length && testCase.expectPath.every((step, i) => step === own[i]);
  if (!isOwn) return [{ path: own, value: { ...expect, ...Object.fromEntries(changed) } }];
  return changed.map(([field, value]) => ({ path: [...own, field], value }));
}

/**
 * Whether `--update` may write a verdict. A case in which nothing was evaluated, or something failed, tests nothing, so its verdict
 * must be written by hand.
 */
export function isRecordable(verdict: Verdict): boolean {
  return verdict !== "error" && verdict !== "unmatched" && verdict !== "unprocessed";
}

function firstExpectation(observed: ObservedAnswers, outcome: Outcome): unknown {
  const { verdict } = observed;
  const [message] = messageOf(observed, outcome);
  return message === undefined ? verdict : { verdict, message };
}

function changedFields(
  expect: Expectation,
  aspects: ReadonlySet<string>,
  observed: ObservedAnswers,
  outcome: Outcome,
): readonly (readonly [keyof Expectation, unknown])[] {
  const values: { readonly [K in keyof Expectation]?: () => unknown } = {
    message: () => messageOf(observed, outcome)[0],
    statusMessage: () => statusMessageOf(outcome),
    reason: () => outcome.status?.reason,
    code: () => outcome.status?.code,
    failures: () =>
      typeof expect.failures === "number" ? observed.failures.length : observed.failures.map(expectedFailure),
    warnings: () => (typeof expect.warnings === "number" ? outcome.warnings.length : outcome.warnings),
    auditAnnotations: () =>
      Object.fromEntries(
        Object.keys(expect.auditAnnotations ?? {}).map((key) => [key, annotationOf(outcome, key) ?? null]),
      ),
    cost: () => (typeof expect.cost === "number" ? totalCost(observed) : ceiling(expect.cost ?? {}, observed)),
    webhooks: () => ({ called: observed.called }),
    mutations: () => {
      const made = mutationsMade(outcome);
      return typeof expect.mutations === "number" ? made.length : made;
    },
  };
  return (Object.keys(values) as (keyof Expectation)[]).flatMap((field) => {
    const value = aspects.has(field) ? values[field]?.() : undefined;
    return value === undefined ? [] : [[field, value] as const];
  });
}

function ceiling({ max, policies }: CostCeiling, observed: ObservedAnswers): CostCeiling {
  const entries = Object.entries(policies ?? {});
  return {
    ...(max !== undefined && { max: Math.max(max, totalCost(observed)) }),
    ...(policies && {
      policies: Object.fromEntries(
        entries.map(([name, limit]) => [name, Math.max(limit, observed.costs.get(name) ?? 0)]),
      ),
    }),
  };
}

function expectedFailure({ by, message }: ObservedAnswers["failures"][number]): ExpectedFailure {
  const validation = validationOf(by);
  return {
    ...(by && { policy: by.name }),
    ...(by?.binding !== undefined && { binding: by.binding }),
    ...(validation !== undefined && { validation }),
    message,
  };
}
