// The report of `diff`, in every format.

import { withNothingJudged } from "../inputs/nothing-judged.ts";
import { startOf } from "../outcome/place.ts";
import type { CommandReport, ReportRow, Table } from "../output/answer.ts";
import { placeText } from "../output/place-text.ts";
import { subjectText } from "../output/subject-text.ts";
import { EXIT } from "../program/exit.ts";
import { type ComparedCosts, diffCharts } from "./diff-charts.ts";
import { diffJson } from "./diff-json.ts";
import { type DiffTextOptions, diffText } from "./diff-text.ts";
import type { RecordedDiff } from "./recorded.ts";
import type { DiffResource } from "./resources.ts";
import { type DiffRow, KIND_WORDS } from "./row.ts";
import type { FailOn } from "./versions/versions-answer.ts";

export interface DiffReport {
  readonly mode: "sets" | "recorded";
  /** Looked at, changed or not. */
  readonly objects: number;
  readonly rows: readonly DiffRow[];
  readonly resources: readonly DiffResource[];
  /** The agreements with recorded answers. */
  readonly agreed: RecordedDiff["agreed"];
  readonly otherMessages: number;
  readonly leftOut: number;
  /** Measured for pages only. */
  readonly costs?: ComparedCosts | undefined;
}

export interface DiffAnswerOptions extends DiffTextOptions {
  /** The changes that end with code 1. */
  readonly failOn: FailOn;
}

export function diffAnswer(report: DiffReport, options: DiffAnswerOptions): CommandReport {
  const fails = ({ change }: DiffRow): boolean =>
    options.failOn === "any" || change.kind === "denied" || (options.failOn === "worse" && change.kind === "error");
  const rejected = report.resources.filter(({ refused }) => refused !== undefined);
  // Made when a format needs it.
  const answer: CommandReport = {
    get results() {
      return [...report.rows.map((row) => resultOf(row, fails(row))), ...rejected.map(rejectedResult)];
    },
    get document() {
      return diffJson(report);
    },
    text: (paint) => diffText(report, options, paint),
    get table() {
      return tableOf(report.rows);
    },
    charts: () => diffCharts(report.rows, report.costs),
    // A rejected policy decides nothing, so its effects are unknown.
    exit: report.rows.some(fails) || rejected.length > 0 ? EXIT.failed : EXIT.ok,
  };
  return report.objects > 0 ? answer : withNothingJudged(answer, { message: "nothing to compare: no objects in -f" });
}

function rejectedResult({ kind, name, refused = "", manifest }: DiffResource): ReportRow {
  const place = startOf(manifest);
  return {
    group: place?.file ?? "",
    name: `${kind} ${name} · diff/rejected`,
    level: "fail",
    rule: "diff/rejected",
    ruleText: "resource of NEW that a server rejects",
    message: refused,
    ...(place && { place }),
    policy: name,
    system: "diff",
  };
}

function resultOf(row: DiffRow, fails: boolean): ReportRow {
  const { manifest, subject, change, speakers, operation, owner } = row;
  const place = startOf(manifest);
  const speaker = speakers.find(({ kind }) => kind === change.kind) ?? speakers[0];
  const policy = /^(?:policy|crd|webhooks|certificate policy) (.*)$/.exec(speaker?.name ?? "")?.[1];
  return {
    group: place?.file ?? "",
    name: `${subjectText(subject)} · diff/${change.kind}`,
    level: fails ? "fail" : "warn",
    rule: `diff/${change.kind}`,
    ruleText: `object that is ${KIND_WORDS[change.kind]}`,
    message: `${KIND_WORDS[change.kind]}: ${messageOf(row)}`,
    ...(place && { place }),
    ...(policy !== undefined && { policy }),
    system: "diff",
    subject,
    properties: {
      was: change.was.allowed ? "allowed" : "denied",
      now: change.now.allowed ? "allowed" : "denied",
      operation,
      by: namesOf(speakers),
      ...(owner !== "" && { owner }),
    },
  };
}

/** The message now, or the former one. */
function messageOf({ change, speakers }: DiffRow): string {
  const { now, was, problems, warnings } = change;
  const said = now.message ?? problems.find((problem) => problem.now)?.now?.message ?? warnings.added[0];
  if (said !== undefined) return said;
  const gone = was.message ?? problems[0]?.was?.message ?? warnings.removed[0];
  return gone === undefined ? namesOf(speakers) : `no longer reported: ${gone}`;
}

const namesOf = (speakers: DiffRow["speakers"]): string => speakers.map(({ name }) => name).join(", ");

function tableOf(rows: readonly DiffRow[]): Table {
  return {
    columns: ["CHANGE", "KIND", "NAMESPACE", "NAME", "OWNER", "BY", "WAS", "NOW", "MESSAGE", "PLACE"],
    rows: rows.map((row) => {
      const { change, subject, owner, speakers, manifest } = row;
      const place = startOf(manifest);
      const word = (allowed: boolean): string => (allowed ? "allowed" : "denied");
      return [
        change.kind,
        subject.kind,
        subject.namespace ?? "",
        subject.name,
        owner,
        namesOf(speakers),
        word(change.was.allowed),
        word(change.now.allowed),
        messageOf(row),
        place ? placeText(place) : "",
      ];
    }),
  };
}
