// Test results with several Kubernetes versions, for people: each failure once with the versions it has, then suites × versions.

import { CURRENT, type Minor } from "@celadon/kube-cel";
import type { CaseResult, SuiteResult } from "@celadon/testing";
import { groupBy } from "../output/group-by.ts";
import type { Paint } from "../output/paint.ts";
import { unbroken } from "../output/visible.ts";
import type { Tally } from "./test-answer.ts";
import { caseText, tallyText } from "./test-text.ts";
import { versionsOf, versionsText } from "./versions.ts";

/** A version rejects the resources of the `rejected` suites, so they were not run with it. */
export function matrixText(
  ran: readonly SuiteResult[],
  rejected: readonly SuiteResult[],
  tally: Tally,
  verbose: boolean,
  paint: Paint,
): string {
  const all = [...ran, ...rejected];
  const minors = versionsOf(all);
  const suites = [...groupBy(all, ({ suite }) => `${suite.origin.file}\n${suite.name}`)].map(([, results]) => results);
  const cases = suites.flatMap((results) => casesOf(results, verbose, paint));
  const rows = suites.map((results) => {
    const { name } = results[0]!.suite;
    return [unbroken(name), ...minors.map((minor) => cellOf(results, minor))];
  });
  const table = tableText([["SUITE", ...minors], ...rows], paint);
  return `${cases.join("")}${cases.length > 0 ? "\n" : ""}${table}\n${tallyText(tally, suites.length, paint, minors.length)}\n`;
}

const versionOf = ({ suite }: SuiteResult): Minor => suite.kubeVersion ?? CURRENT;

/** Cases that have the same result for the same reason with several versions are one. */
function casesOf(results: readonly SuiteResult[], verbose: boolean, paint: Paint): string[] {
  const shown = results.flatMap((result) =>
    result.cases
      .filter(({ result: outcome }) => verbose || outcome === "fail" || outcome === "error")
      .map((testCase) => ({ testCase, minor: versionOf(result) })),
  );
  const same = ({ testCase }: { readonly testCase: CaseResult }): string => {
    const { id, result, differences, reason } = testCase;
    return JSON.stringify([id, result, differences, reason]);
  };
  return [...groupBy(shown, same)].map(([, group]) => {
    const minors = group.map(({ minor }) => minor);
    return caseText(group[0]!.testCase, false, paint, ` with Kubernetes ${versionsText(minors)}`);
  });
}

function cellOf(results: readonly SuiteResult[], minor: Minor): string {
  const found = results.find((result) => versionOf(result) === minor);
  if (found === undefined) return "-";
  if (found.issues.length > 0) return "rejected";
  const failed = found.cases.filter(({ result }) => result === "fail" || result === "error").length;
  if (failed > 0) return `${failed} failed`;
  const passed = found.cases.filter(({ result }) => result === "pass").length;
  return passed === 0 ? "none" : "ok";
}

function tableText(rows: readonly (readonly string[])[], paint: Paint): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => [...row[i]!].length)));
  const lines = rows.map((row, at) => {
    const cells = row.map((cell, i) => {
      const padded = i === row.length - 1 ? cell : cell.padEnd(widths[i]!);
      if (at === 0) return paint.dim(padded);
      if (i === 0) return paint.bold(padded);
      return cell === "ok"
        ? paint.green(padded)
        : cell === "-" || cell === "none"
          ? paint.dim(padded)
          : paint.red(padded);
    });
    return cells.join("  ");
  });
  return `${lines.join("\n")}\n`;
}
