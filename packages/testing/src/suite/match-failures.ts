// Expected failures against actual ones, in any order: each expected one needs one of its own, and none may be left over.

import type { Problem } from "@celadon/simulator";
import type { Difference } from "./compare.ts";
import { fieldText } from "./read/check-shape.ts";
import type { ExpectedFailure } from "./read/document.ts";
import { fits, wordsText } from "./words.ts";

export function compareFailures(
  expected: number | readonly ExpectedFailure[],
  actual: readonly Problem[],
): Difference[] {
  const lines = (texts: readonly string[]): string => texts.join("\n") || "none";
  if (typeof expected === "number") {
    if (expected === actual.length) return [];
    return [
      {
        aspect: "failures",
        expected: String(expected),
        actual: `${actual.length}${actual.map((problem) => `\n${problemText(problem)}`).join("")}`,
      },
    ];
  }
  const partners = pair(expected, actual);
  const missing = expected.filter((_, i) => partners[i] === undefined);
  const extra = actual.filter((_, j) => !partners.includes(j));
  if (missing.length === 0 && extra.length === 0) return [];
  return [{ aspect: "failures", expected: lines(missing.map(expectedText)), actual: lines(extra.map(problemText)) }];
}

/** For each expected one the position of its partner: a maximum matching in any order. */
function pair(expected: readonly ExpectedFailure[], actual: readonly Problem[]): readonly (number | undefined)[] {
  const owner: (number | undefined)[] = actual.map(() => undefined);
  const place = (i: number, tried: Set<number>): boolean =>
    actual.some((problem, j) => {
      if (tried.has(j) || !isSuch(expected[i]!, problem)) return false;
      tried.add(j);
      const holder = owner[j];
      if (holder !== undefined && !place(holder, tried)) return false;
      owner[j] = i;
      return true;
    });
  expected.forEach((_, i) => {
    place(i, new Set());
  });
  return expected.map((_, i) => {
    const j = owner.indexOf(i);
    return j === -1 ? undefined : j;
  });
}

function isSuch(expected: ExpectedFailure, { system, level, message, reason, path, by }: Problem): boolean {
  const is = (want: unknown, got: unknown): boolean => want === undefined || want === got;
  return (
    is(expected.system, system) &&
    is(expected.policy, by?.name) &&
    is(expected.binding, by?.binding) &&
    is(expected.params, by?.params) &&
    is(expected.validation, validationOf(by)) &&
    is(expected.level, level) &&
    is(expected.reason, reason) &&
    is(expected.path, path && fieldText(path)) &&
    is(expected.error, by?.error ?? false) &&
    (expected.message === undefined || fits(expected.message, message))
  );
}

export function validationOf(by: Problem["by"]): number | undefined {
  const [, list, index] = by?.path ?? [];
  return list === "validations" && typeof index === "number" ? index : undefined;
}

export function problemText({ level, message, by }: Problem): string {
  const index = validationOf(by);
  const who = by === undefined ? "" : `${by.name}${index === undefined ? "" : `, validations[${index}]`}: `;
  return `${who}${message} (${level})`;
}

function expectedText({ message, ...rest }: ExpectedFailure): string {
  const parts = Object.entries(rest).map(([key, value]) => `${key} ${String(value)}`);
  return [...parts, ...(message === undefined ? [] : [`message ${wordsText(message)}`])].join(", ");
}
