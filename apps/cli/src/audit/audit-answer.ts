// The report of `audit`: objects with something against them, policies that matched nothing, what could not be read, and the tally.

import type { Unread } from "@celadon/cluster/audit";
import { type NothingJudged, withNothingJudged } from "../inputs/nothing-judged.ts";
import { unreadText } from "../live-cluster/from-cluster.ts";
import { costChart } from "../outcome/cost-chart.ts";
import { speakerText } from "../outcome/names.ts";
import { reviewedJson } from "../outcome/outcome-json.ts";
import { resultsOf } from "../outcome/outcome-results.ts";
import { reviewedText } from "../outcome/outcome-text.ts";
import type { ReviewedObject } from "../outcome/reviewed.ts";
import type { CommandReport, ReportRow } from "../output/answer.ts";
import { denialCharts } from "../output/charts.ts";
import type { Paint } from "../output/paint.ts";
import { EXIT } from "../program/exit.ts";
import type { Audited } from "./audit-all.ts";

export interface AuditAnswerOptions {
  /** The cluster, as it is called. */
  readonly cluster: string;
  readonly failOnDenied: boolean;
}

export function auditAnswer(audited: Audited, { cluster, failOnDenied }: AuditAnswerOptions): CommandReport {
  const { counts, found, leftOut, policies, unread } = audited;
  const unmatched = policies.filter(({ matched }) => matched === 0).map(({ policy }) => policy);
  const answer: CommandReport = {
    get results() {
      return [
        ...found.flatMap((reviewed) => rowsOf(reviewed, cluster)),
        ...unread.map((item) => unreadRow(item, cluster)),
      ];
    },
    document: {
      apiVersion: "celadon.dev/v1",
      kind: "AuditReport",
      cluster,
      summary: {
        ...counts,
        allowed: counts.objects - counts.denied,
        leftOut,
        policies: policies.length,
        unmatchedPolicies: unmatched.length,
      },
      objects: found.map(reviewedJson),
      policies,
      unread,
    },
    text: (paint) => auditText(audited, unmatched, paint),
    table: {
      columns: ["KIND", "NAMESPACE", "NAME", "VERDICT", "BY", "MESSAGE"],
      rows: found.flatMap(({ subject, problems }) =>
        problems.map((problem) => [
          subject.kind,
          subject.namespace ?? "",
          subject.name,
          problem.level,
          speakerText(problem),
          problem.message,
        ]),
      ),
    },
    charts: () => [...denialCharts(answer.results), costChart(policies)],
    exit: failOnDenied && (counts.denied > 0 || unread.some(isPolicies)) ? EXIT.failed : EXIT.ok,
  };
  const isBlind = counts.resources === 0 && unread.length === 0;
  return isBlind ? withNothingJudged(answer, NOTHING_TO_AUDIT) : answer;
}

const NOTHING_TO_AUDIT: NothingJudged = {
  message: "nothing to audit: no policy in force matches a resource of the cluster",
  hint: "name policies with -f, and use --bind-all if they have no bindings",
};

/** A resource that could not be listed may have objects that a policy would deny. */
function unreadRow(unread: Unread, group: string): ReportRow {
  const { resource } = unread;
  const name = unread.group === "" ? resource : `${resource}.${unread.group}`;
  return {
    group,
    name: `${name} · audit/unread`,
    level: "warn",
    rule: "audit/unread",
    ruleText: "resource of the cluster that could not be listed",
    message: unreadText(unread),
    system: "audit",
  };
}

/** An audit without its policies proves nothing. */
function isPolicies({ resource }: Unread): boolean {
  return /admissionpolic(ies|ybindings)$/.test(resource);
}

/** Policies that passed are left out: an object that is named here has something against it. */
export function rowsOf(reviewed: ReviewedObject, group: string): readonly ReportRow[] {
  return resultsOf(reviewed).flatMap((row) => (row.level === "pass" ? [] : [{ ...row, group }]));
}

function auditText({ counts, found, leftOut, unread }: Audited, unmatched: readonly string[], paint: Paint): string {
  const blocks = found.map((reviewed) => reviewedText(reviewed, paint));
  if (leftOut > 0) blocks.push(`${paint.yellow("!")} ${leftOut} more objects have problems; see --most\n`);
  for (const policy of unmatched) blocks.push(`${paint.yellow("!")} policy ${paint.bold(policy)} matched nothing\n`);
  for (const item of unread) blocks.push(`${paint.yellow("!")} ${unreadText(item)}\n`);
  const { objects, denied, warned, resources } = counts;
  const parts = [
    `${objects} ${objects === 1 ? "object" : "objects"} of ${resources} ${resources === 1 ? "resource" : "resources"}`,
    `${denied} would be denied`,
    ...(warned > 0 ? [`${warned} with warnings`] : []),
    ...(unread.length > 0 ? [`${unread.length} ${unread.length === 1 ? "resource" : "resources"} not read`] : []),
  ];
  const line = parts.join(", ");
  return `${blocks.join("")}${blocks.length > 0 ? "\n" : ""}${denied > 0 ? paint.red(line) : paint.green(line)}\n`;
}
