// The report of `diff` over versions of Kubernetes, in every format. Its JSON is documented in docs/reference/output.md.

import { withNothingJudged } from "../../inputs/nothing-judged.ts";
import { startOf } from "../../outcome/place.ts";
import type { CommandReport, ReportRow, Table } from "../../output/answer.ts";
import { placeText } from "../../output/place-text.ts";
import { subjectText } from "../../output/subject-text.ts";
import { EXIT } from "../../program/exit.ts";
import { CHANGE_WORDS, DENYING, type VersionChange, type VersionChangeKind, WORSE } from "./change.ts";
import type { ComparedVersions } from "./compare-versions.ts";
import { fieldText } from "./object-changes.ts";
import { type VersionsTextOptions, versionsText } from "./versions-text.ts";

/** The changes that end with code 1. */
export type FailOn = "any" | "denied" | "worse";

export interface VersionsAnswerOptions extends VersionsTextOptions {
  readonly failOn: FailOn;
}

export function versionsAnswer(compared: ComparedVersions, options: VersionsAnswerOptions): CommandReport {
  const fails = ({ change }: VersionChange): boolean => FAILING[options.failOn](change);
  const { minors, objects, changes } = compared;
  const answer: CommandReport = {
    get results() {
      return changes.map((change) => rowOf(change, fails(change)));
    },
    get document() {
      return {
        apiVersion: "celadon.dev/v1",
        kind: "VersionDiffReport",
        kubeVersions: minors,
        summary: { objects, changes: changes.length, ...countsOf(changes) },
        changes: changes.map(changeJson),
      };
    },
    text: (paint) => versionsText(compared, options, paint),
    get table() {
      return tableOf(changes);
    },
    exit: changes.some(fails) ? EXIT.failed : EXIT.ok,
  };
  return objects > 0 ? answer : withNothingJudged(answer, { message: "nothing to compare: no objects in the inputs" });
}

const FAILING: Readonly<Record<FailOn, (change: VersionChangeKind) => boolean>> = {
  any: () => true,
  denied: (change) => DENYING.has(change),
  worse: (change) => WORSE.has(change),
};

function countsOf(changes: readonly VersionChange[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { change } of changes) counts[change] = (counts[change] ?? 0) + 1;
  return counts;
}

function changeJson({ change, manifest, subject, since, until, message, path, was, now }: VersionChange): object {
  const place = startOf(manifest);
  return {
    change,
    kubeVersion: since,
    ...(until !== undefined && { until }),
    object: subject,
    ...(place && { file: place.file, line: place.line }),
    ...(message !== "" && { message }),
    ...(path && { field: fieldText(path) }),
    ...(was !== undefined && { was }),
    ...(now !== undefined && { now }),
  };
}

function rowOf(change: VersionChange, fails: boolean): ReportRow {
  const { manifest, subject, since } = change;
  const place = startOf(manifest);
  return {
    group: place?.file ?? "",
    name: `${subjectText(subject)} · upgrade/${change.change}`,
    level: fails ? "fail" : "warn",
    rule: `upgrade/${change.change}`,
    ruleText: CHANGE_WORDS[change.change],
    message: `since ${since}: ${messageOf(change)}`,
    ...(place && { place }),
    ...(change.path && { field: fieldText(change.path) }),
    system: "upgrade",
    subject,
    properties: { kubeVersion: since },
  };
}

function messageOf({ message, path, was, now, change }: VersionChange): string {
  if (path === undefined || change === "meaning") return message;
  const values = [was, now].map((value) => (value === undefined ? "nothing" : JSON.stringify(value)));
  return `${message === "" ? fieldText(path) : message}: ${values.join(" → ")}`;
}

function tableOf(changes: readonly VersionChange[]): Table {
  return {
    columns: ["CHANGE", "SINCE", "KIND", "NAMESPACE", "NAME", "FIELD", "MESSAGE", "PLACE"],
    rows: changes.map((change) => {
      const place = startOf(change.manifest);
      return [
        change.change,
        change.since,
        change.subject.kind,
        change.subject.namespace ?? "",
        change.subject.name,
        change.path ? fieldText(change.path) : "",
        change.message,
        place ? placeText(place) : "",
      ];
    }),
  };
}
