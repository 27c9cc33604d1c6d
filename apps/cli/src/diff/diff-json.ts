// The report as the JSON that machines get. Documented in docs/reference/output.md: fields are added, never changed.

import type { Problem } from "@celadon/simulator";
import { startOf } from "../outcome/place.ts";
import { calledText } from "./change-sources.ts";
import type { DiffReport } from "./diff-answer.ts";
import { countsOf, GROUPINGS, type Grouping, groupsOf } from "./groups.ts";
import type { DiffRow } from "./row.ts";

export function diffJson(report: DiffReport): Readonly<Record<string, unknown>> {
  const { mode, objects, rows, agreed, otherMessages, leftOut, resources } = report;
  return {
    apiVersion: "celadon.dev/v1",
    kind: "DiffReport",
    mode,
    summary: {
      objects,
      changed: rows.length,
      ...countsOf(rows.map(({ change }) => change.kind)),
      ...(mode === "recorded" && {
        agreedAllowed: agreed.allowed,
        agreedDenied: agreed.denied,
        otherMessages,
        leftOut,
      }),
    },
    resources: resources.map(({ manifest, ...change }) => ({ ...change, ...placeJson(manifest) })),
    groups: Object.fromEntries(GROUPINGS.map((by) => [by, groupsJson(rows, by)])),
    changes: rows.map(rowJson),
  };
}

function groupsJson(rows: readonly DiffRow[], by: Grouping): readonly Record<string, unknown>[] {
  return groupsOf(rows, by).map(({ name, members }) => ({
    name,
    changed: members.length,
    ...countsOf(members.map(({ kind }) => kind)),
  }));
}

function placeJson(manifest: DiffRow["manifest"]): Record<string, unknown> {
  const place = startOf(manifest);
  return place === undefined ? {} : { file: place.file, line: place.line };
}

function rowJson({
  manifest,
  subject,
  operation,
  subresource,
  owner,
  change,
  speakers,
}: DiffRow): Record<string, unknown> {
  return {
    ...placeJson(manifest),
    object: subject,
    operation,
    ...(subresource !== "" && { subresource }),
    ...(owner !== "" && { owner }),
    change: change.kind,
    was: change.was,
    now: change.now,
    by: speakers.map(({ name, kind }) => ({ name, kind })),
    problems: change.problems.map(({ was, now }) => ({
      ...(was && { was: problemJson(was) }),
      ...(now && { now: problemJson(now) }),
    })),
    warnings: change.warnings,
    auditAnnotations: change.annotations,
    policies: change.policies,
    webhooks: {
      removed: change.webhooks.removed.map(calledText),
      added: change.webhooks.added.map(calledText),
    },
  };
}

function problemJson({ system, level, message, reason, by }: Problem): Record<string, unknown> {
  return { system, level, message, ...(reason !== undefined && { reason }), ...(by && { by }) };
}
