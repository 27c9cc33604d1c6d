// `-o github`: workflow commands, which GitHub shows beside the lines of a pull request.

import type { CommandReport, Level, ReportRow } from "../answer.ts";
import type { Setting } from "../formats.ts";
import { subjectText } from "../subject-text.ts";
import { visible } from "../visible.ts";
import { pathFrom } from "../where.ts";

const COMMANDS: Readonly<Record<Level, string | undefined>> = {
  fail: "error",
  error: "error",
  warn: "warning",
  skip: "notice",
  pass: undefined,
};

export function* render(answer: CommandReport, setting: Setting): Generator<string> {
  for (const result of answer.results) yield commandOf(result, setting);
}

function commandOf(result: ReportRow, setting: Setting): string {
  const command = COMMANDS[result.level];
  if (command === undefined || result.message === "") return "";
  const properties = Object.entries(propertiesOf(result, setting))
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  const message = [result.message, ...(result.detail ? [result.detail] : [])].join("\n");
  return `::${command} ${properties.join(",")}::${escapeData(message)}\n`;
}

function propertiesOf(
  { place, rule, subject }: ReportRow,
  setting: Setting,
): Readonly<Record<string, string | number | undefined>> {
  // Without a line to stand beside, as with Helm output from a pipe, the object has to be named.
  const file = place === undefined ? undefined : pathFrom(setting, place.file);
  if (place === undefined || file === undefined)
    return { title: subject === undefined ? rule : `${rule} ${subjectText(subject)}` };
  const { line, column, endLine, endColumn } = place;
  return { file, line, endLine, col: column, endColumn, title: rule };
}

function escapeData(text: string): string {
  return visible(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
