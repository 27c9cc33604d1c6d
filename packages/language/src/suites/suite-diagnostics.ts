// Problems of test suites, and failing tests, at their places.

import type { Manifest } from "@celadon/simulator/manifests";
import type { CaseResult } from "@celadon/testing";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { PlacedResource } from "../document/file.ts";
import { lineEnd, shifted, type TextRange } from "../text/range.ts";
import { SourceText } from "../text/source-text.ts";
import type { PlacedIssue, SuiteRun } from "./suite-runs.ts";

/** By file. `placed` says where a manifest stands now. */
export function suiteDiagnostics(
  runs: readonly SuiteRun[],
  placed: ReadonlyMap<Manifest, PlacedResource>,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const byFile = new Map<string, Diagnostic[]>();
  const add = (place: PlacedResource | undefined, diagnostic: (place: PlacedResource) => Diagnostic): void => {
    if (place === undefined) return;
    const list = byFile.get(place.uri);
    if (list === undefined) byFile.set(place.uri, [diagnostic(place)]);
    else list.push(diagnostic(place));
  };
  for (const { manifest, issues, cases } of runs) {
    for (const issue of issues) add(placed.get(issue.about), (place) => issueDiagnostic(issue, place));
    for (const testCase of cases) {
      if (testCase.result === "fail" || testCase.result === "error")
        add(placed.get(manifest), (place) => failure(testCase, place));
    }
  }
  return byFile;
}

function issueDiagnostic({ code, message, hint, line, column }: PlacedIssue, place: PlacedResource): Diagnostic {
  const range = line === undefined ? wholeRange(place) : lineRange(place, line, column ?? 1);
  return { code, severity: "error", range, message, ...(hint !== undefined && { help: hint }), source: "test" };
}

function wholeRange({ resource, start }: PlacedResource): TextRange {
  return shifted(resource.part.nearestRange(resource, []), start);
}

/** Lines and columns from 1, in the part. */
function lineRange({ resource, start }: PlacedResource, line: number, column: number): TextRange {
  const { text } = resource.part;
  const from = new SourceText(text).offsetAt({ line: line - 1, character: column - 1 });
  return shifted({ start: from, end: Math.max(from, lineEnd(text, from)) }, start);
}

function failure({ case: test, result, differences, reason }: CaseResult, place: PlacedResource): Diagnostic {
  const { resource, start } = place;
  const range = shifted(resource.part.nearestRange(resource, [...test.path, "name"]), start);
  const what = differences.map(({ aspect, expected, actual }) => `${aspect}: expected ${expected}, got ${actual}`);
  const code = result === "fail" ? "test_fails" : "test_not_judged";
  const message = `test ${JSON.stringify(test.name)} ${result === "fail" ? "fails" : "cannot be evaluated"}`;
  const details = [...what, ...(reason === undefined ? [] : [reason])].join("; ");
  return {
    code,
    severity: "warning",
    range,
    message: details === "" ? message : `${message}: ${details}`,
    source: "test",
  };
}
