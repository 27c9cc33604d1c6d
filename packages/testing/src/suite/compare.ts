// Compares expected and actual results, aspect by aspect. An aspect that the suite does not mention is ignored, with one
// exception: a case in which nothing was evaluated tests nothing, and fails unless it expects that.

import { pushAll } from "@celadon/base";
import type { Outcome } from "@celadon/simulator";
import { compareFailures } from "./match-failures.ts";
import { compareMutations } from "./match-mutations.ts";
import type { ObservedAnswers } from "./observed.ts";
import { fieldText } from "./read/check-shape.ts";
import type { Expectation, ExpectedText, Verdict } from "./read/document.ts";
import { missedIn } from "./subset.ts";
import { fits, wordsText } from "./words.ts";

/** A difference between the result of a case and its expectation. */
export interface Difference {
  /** The field of `expect` it is about: `verdict`, `message`, `cost.policies.p`. */
  readonly aspect: string;
  readonly expected: string;
  readonly actual: string;
  /** Why it came so: lines. */
  readonly note?: string;
}

export function compare(expect: Expectation, observed: ObservedAnswers, outcome: Outcome): Difference[] {
  const differences: Difference[] = [...compareVerdict(expect, observed)];
  const differ = (aspect: string, expected: string, actual: string): void => {
    differences.push({ aspect, expected, actual });
  };
  const exactly = (aspect: string, expected: unknown, actual: unknown): void => {
    if (expected !== undefined && expected !== actual) differ(aspect, String(expected), String(actual ?? "none"));
  };
  const { status } = outcome;
  exactly("allowed", expect.allowed, outcome.allowed);
  if (expect.message !== undefined) {
    const texts = expect.anyFailure ? observed.failures.map(({ message }) => message) : messageOf(observed, outcome);
    if (!texts.some((text) => fits(expect.message!, text))) {
      differ("message", wordsText(expect.message), texts.length === 0 ? "none" : texts.join("\n"));
    }
  }
  if (expect.statusMessage !== undefined) {
    const text = statusMessageOf(outcome);
    if (text === undefined || !fits(expect.statusMessage, text)) {
      differ("statusMessage", wordsText(expect.statusMessage), text ?? "none");
    }
  }
  exactly("reason", expect.reason, status?.reason);
  exactly("code", expect.code, status?.code);
  if (expect.failures !== undefined) pushAll(differences, compareFailures(expect.failures, observed.failures));
  if (expect.warnings !== undefined) pushAll(differences, compareWarnings(expect.warnings, outcome.warnings));
  for (const [key, words] of Object.entries(expect.auditAnnotations ?? {})) {
    const text = annotationOf(outcome, key);
    const good = words === null ? text === undefined : text !== undefined && fits(words, text);
    if (!good) differ(`auditAnnotations.${key}`, words === null ? "none" : wordsText(words), text ?? "none");
  }
  pushAll(differences, compareCost(expect, observed));
  pushAll(differences, compareWebhooks(expect, observed));
  for (const { path, expected, actual } of expect.object ? missedIn(expect.object, outcome.object) : []) {
    differ(`object.${fieldText(path)}`, shown(expected), actual === undefined ? "nothing" : shown(actual));
  }
  if (expect.mutations !== undefined) pushAll(differences, compareMutations(expect.mutations, outcome));
  return differences;
}

function compareVerdict({ verdict, matched }: Expectation, observed: ObservedAnswers): Difference[] {
  const actual = observed.verdict;
  const note = [
    ...(observed.note === undefined ? [] : [observed.note]),
    ...(observed.matched ? [] : unmatchedText(observed)),
  ];
  const difference = (aspect: string, expected: string, actual: string): Difference[] => [
    { aspect, expected, actual, ...(note.length > 0 && { note: note.join("\n") }) },
  ];
  if (verdict !== undefined && !sameVerdict(verdict, actual)) return difference("verdict", verdict, actual);
  if (matched !== undefined && matched !== observed.matched) {
    return difference("matched", String(matched), String(observed.matched));
  }
  const expected = matched === false || verdict === "unmatched" || verdict === "unprocessed" || verdict === "error";
  if (!observed.matched && !expected) return difference("matched", "true", "false");
  return [];
}

/** A certificate request that no policy applies to is left unprocessed; both words say it. */
export function sameVerdict(expected: Verdict, actual: Verdict): boolean {
  return expected === actual || (expected === "unmatched" && actual === "unprocessed");
}

/** An object that could not be read was not matched with anything: that says nothing about the policies. */
function unmatchedText({ refusals, isUnread }: ObservedAnswers): readonly string[] {
  if (isUnread) return [];
  return refusals.length === 0 ? ["the suite has no policy that could match"] : refusals.map(({ text }) => text);
}

/** The message of the returned failure; for certificates that are approved or ignored, the approver's message. */
export function messageOf({ failure }: ObservedAnswers, { certificate }: Outcome): readonly string[] {
  if (failure !== undefined) return [failure.message];
  return certificate === undefined || certificate.result === "Error" ? [] : [certificate.message];
}

export function statusMessageOf({ status, certificate }: Outcome): string | undefined {
  if (status !== undefined || certificate === undefined) return status?.message;
  return certificate.result === "Error" ? certificate.error : certificate.message;
}

/** By its whole key, or without the policy's name before it. */
export function annotationOf({ auditAnnotations }: Outcome, key: string): string | undefined {
  if (Object.hasOwn(auditAnnotations, key)) return auditAnnotations[key];
  const full = Object.keys(auditAnnotations).find((text) => text.endsWith(`/${key}`));
  return full === undefined ? undefined : auditAnnotations[full];
}

function compareWarnings(expected: number | readonly ExpectedText[], actual: readonly string[]): Difference[] {
  const good =
    typeof expected === "number"
      ? expected === actual.length
      : expected.length === actual.length && expected.every((words, i) => fits(words, actual[i]!));
  if (good) return [];
  const text = typeof expected === "number" ? String(expected) : expected.map(wordsText).join("\n") || "none";
  return [{ aspect: "warnings", expected: text, actual: actual.join("\n") || "none" }];
}

export function totalCost({ costs }: ObservedAnswers): number {
  return [...costs.values()].reduce((sum, cost) => sum + cost, 0);
}

function compareCost({ cost }: Expectation, observed: ObservedAnswers): Difference[] {
  if (cost === undefined) return [];
  const { max, policies = {} } = typeof cost === "number" ? { max: cost } : cost;
  const limits: (readonly [string, number, number])[] = Object.entries(policies).map(([name, limit]) => [
    `cost.policies.${name}`,
    limit,
    observed.costs.get(name) ?? 0,
  ]);
  if (max !== undefined) limits.unshift([typeof cost === "number" ? "cost" : "cost.max", max, totalCost(observed)]);
  return limits.flatMap(([aspect, limit, actual]) =>
    actual <= limit ? [] : [{ aspect, expected: `at most ${limit}`, actual: String(actual) }],
  );
}

function compareWebhooks({ webhooks }: Expectation, { called, refusals }: ObservedAnswers): Difference[] {
  if (webhooks === undefined) return [];
  const differences: Difference[] = [];
  const sorted = (names: readonly string[]): string => [...names].sort().join("\n") || "none";
  if (webhooks.called !== undefined && sorted(webhooks.called) !== sorted(called)) {
    const expected = new Set(webhooks.called);
    const why = refusals.filter(({ webhook }) => webhook !== undefined && expected.has(webhook));
    const difference = { aspect: "webhooks.called", expected: sorted(webhooks.called), actual: sorted(called) };
    differences.push(why.length === 0 ? difference : { ...difference, note: why.map(({ text }) => text).join("\n") });
  }
  const wrong = (webhooks.notCalled ?? []).filter((name) => called.includes(name));
  if (wrong.length > 0)
    differences.push({ aspect: "webhooks.notCalled", expected: "not called", actual: sorted(wrong) });
  return differences;
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_, item) => (typeof item === "bigint" ? Number(item) : item));
}
