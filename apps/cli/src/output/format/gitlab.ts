// `-o gitlab`: GitLab's code quality report, which it shows in a merge request and beside the changed lines. Every entry needs a file and a
// line: a result without a place is shown at the first line of its input.

import type { CommandReport, Level, ReportRow } from "../answer.ts";
import type { Setting } from "../formats.ts";
import { subjectText } from "../subject-text.ts";
import { pathFrom } from "../where.ts";
import { fingerprintsOf } from "./fingerprints.ts";
import { toJson } from "./json.ts";

const SEVERITIES: Readonly<Record<Level, string | undefined>> = {
  fail: "major",
  error: "critical",
  warn: "minor",
  skip: undefined,
  pass: undefined,
};

/** The file of results that were read from standard input. */
const NO_FILE = "stdin";

export function render(answer: CommandReport, setting: Setting): string {
  const wrong: ReportRow[] = [];
  for (const result of answer.results) if (SEVERITIES[result.level] !== undefined) wrong.push(result);
  const fingerprints = fingerprintsOf(wrong, setting);
  const entries = wrong.map((result, index) => entryOf(result, fingerprints[index]!, setting));
  return `${toJson(entries)}\n`;
}

function entryOf(result: ReportRow, fingerprint: string, setting: Setting): Readonly<Record<string, unknown>> {
  const { level, rule, message, group, place, subject } = result;
  const said = message === "" ? rule : message;
  return {
    description: subject === undefined ? said : `${subjectText(subject)}: ${said}`,
    check_name: rule,
    fingerprint,
    severity: SEVERITIES[level],
    location: {
      path: pathFrom(setting, place?.file ?? group) ?? NO_FILE,
      lines: { begin: place?.line ?? 1, ...(place?.endLine !== undefined && { end: place.endLine }) },
    },
  };
}
