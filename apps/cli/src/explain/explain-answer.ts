// Explained subjects as the answer of a command.

import { pushAll } from "@celadon/base";
import type { SimulatedCluster } from "@celadon/simulator";
import { blameFor } from "@celadon/simulator/explain";
import { requestSubject } from "../outcome/names.ts";
import { resultsOf } from "../outcome/outcome-results.ts";
import { reviewedOf } from "../outcome/reviewed.ts";
import type { CommandReport, ReportRow } from "../output/answer.ts";
import { subjectText } from "../output/subject-text.ts";
import type { ExitCode } from "../program/exit.ts";
import { explainJson } from "./explain-json.ts";
import { explainText } from "./explain-text.ts";
import type { ExplainedSubject } from "./explained.ts";
import { Sites } from "./sites.ts";

export interface ExplainShown {
  /** Parts of true expressions and of all variables too. */
  readonly verbose: boolean;
  /** Assumptions. */
  readonly notes: boolean;
  /** The text without any subject. */
  readonly nothing: string;
  readonly exit: ExitCode;
}

export async function explainAnswer(
  subjects: readonly ExplainedSubject[],
  simulated: SimulatedCluster,
  { verbose, notes, nothing, exit }: ExplainShown,
): Promise<CommandReport> {
  const sites = new Sites(simulated);
  const results: ReportRow[] = [];
  for (const { manifest, outcome } of subjects) {
    pushAll(results, resultsOf(reviewedOf(manifest, outcome, await blameFor(simulated, outcome))));
  }
  return {
    results,
    document: {
      apiVersion: "celadon.dev/v1",
      kind: "Explanation",
      objects: subjects.map((subject) => explainJson(subject, sites)),
    },
    text: (paint) =>
      subjects.length === 0
        ? nothing
        : subjects.map((subject) => explainText(subject, { paint, sites, verbose, notes })).join("\n"),
    table: {
      columns: ["OBJECT", "VERDICT", "MESSAGE"],
      rows: subjects.map(({ outcome }) => [
        subjectText(requestSubject(outcome.request)),
        outcome.allowed ? "allowed" : "denied",
        outcome.status?.message ?? "",
      ]),
    },
    exit,
  };
}
