// An outcome as rows for CI formats: one for each problem; one that passed for each system that had nothing against the object.

import { dataPathText } from "@celadon/cel/explain";
import type { Problem } from "@celadon/simulator";
import type { Level, ReportRow } from "../output/answer.ts";
import { subjectText } from "../output/subject-text.ts";
import { partOf, ruleOf } from "./names.ts";
import { startOf } from "./place.ts";
import { problemPlace, type ReviewedObject } from "./reviewed.ts";

const LEVELS: Readonly<Record<Problem["level"], Level>> = {
  deny: "fail",
  warn: "warn",
  audit: "warn",
  ignored: "warn",
  notice: "warn",
};

export function resultsOf(reviewed: ReviewedObject): ReportRow[] {
  const { manifest, subject } = reviewed;
  const start = startOf(manifest);
  const group = start?.file ?? "";
  const title = subjectText(subject);
  const rows = reviewed.problems.map((problem): ReportRow => {
    const { by, message, system, level } = problem;
    const place = problemPlace(reviewed, problem) ?? start;
    const field = reviewed.blame.get(problem) ?? (problem.path && { root: "object", path: problem.path });
    return {
      group,
      name: `${title} · ${ruleOf(problem)}`,
      level: by?.error && level === "deny" ? "error" : LEVELS[level],
      rule: ruleOf(problem),
      ...(by?.expression !== undefined && { ruleText: by.expression }),
      message,
      ...(place && { place }),
      ...(by && { policy: by.name }),
      ...(by?.path && { policyRule: partOf(problem) }),
      system,
      subject,
      ...(field && { field: dataPathText(field) }),
      properties: { level, returned: String(problem.returned), operation: reviewed.operation },
    };
  });
  const spoke = new Set(reviewed.problems.map(({ by }) => by?.name));
  for (const name of reviewed.policies) {
    if (spoke.has(name)) continue;
    rows.push(
      passed(group, title, `policy/${name}`, "policy", { subject, policy: name, ...(start && { place: start }) }),
    );
  }
  if (rows.length === 0)
    rows.push(passed(group, title, "validation", "validation", { subject, ...(start && { place: start }) }));
  return rows;
}

function passed(group: string, title: string, rule: string, system: string, more: Partial<ReportRow>): ReportRow {
  return { group, name: `${title} · ${rule}`, level: "pass", rule, message: "", system, ...more };
}
