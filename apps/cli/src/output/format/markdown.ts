// `-o markdown`: a summary for a comment of a pull request or the summary of a job: counts, a table of problems, and the text behind a
// fold. Names and messages come from the pull request: they stand in code, where they make no links, mentions, images or markup.

import type { CommandReport, Level, ReportRow } from "../answer.ts";
import type { Setting } from "../formats.ts";
import { paintOf } from "../paint.ts";
import { piecesOf } from "../pieces.ts";
import { subjectText } from "../subject-text.ts";
import { screened } from "../visible.ts";
import { pathFrom } from "../where.ts";

/** The problems that the table shows. */
const ROWS = 50;
/** The longest message of a row. */
const MESSAGE = 400;
/** The characters of the text behind the fold: GitHub accepts comments of 65,536 characters. */
const TEXT = 30_000;

const WORDS: readonly (readonly [level: Level, mark: string, one: string, several: string])[] = [
  ["error", "💥", "error", "errors"],
  ["fail", "❌", "problem", "problems"],
  ["warn", "⚠️", "warning", "warnings"],
];

export function render(answer: CommandReport, setting: Setting): string {
  const counts: Record<Level, number> = { error: 0, fail: 0, warn: 0, pass: 0, skip: 0 };
  const shown: Record<string, ReportRow[]> = { error: [], fail: [], warn: [] };
  for (const result of answer.results) {
    counts[result.level]++;
    const rows = shown[result.level];
    if (rows !== undefined && rows.length < ROWS) rows.push(result);
  }
  const rows = WORDS.flatMap(([level]) => shown[level]!).slice(0, ROWS);
  const total = WORDS.reduce((sum, [level]) => sum + counts[level], 0);
  return [
    `**celadon**: ${countsText(counts)}`,
    ...(rows.length === 0 ? [] : [tableOf(rows, setting)]),
    ...(total > rows.length ? [`… and ${total - rows.length} more`] : []),
    ...foldOf(answer),
    "",
  ].join("\n\n");
}

function countsText(counts: Readonly<Record<Level, number>>): string {
  const parts = WORDS.flatMap(([level, mark, one, several]) =>
    counts[level] === 0 ? [] : [`${mark} ${counts[level]} ${counts[level] === 1 ? one : several}`],
  );
  return parts.length === 0 ? "✅ no problems" : parts.join(", ");
}

function tableOf(rows: readonly ReportRow[], setting: Setting): string {
  const head = ["| | object | rule | message | place |", "| --- | --- | --- | --- | --- |"];
  return [...head, ...rows.map((row) => rowOf(row, setting))].join("\n");
}

function rowOf({ level, subject, name, rule, message, place }: ReportRow, setting: Setting): string {
  const path = place && pathFrom(setting, place.file);
  const cells = [
    WORDS.find(([word]) => word === level)![1],
    code(subject === undefined ? name : subjectText(subject)),
    code(rule),
    code(message.length > MESSAGE ? `${message.slice(0, MESSAGE - 1)}…` : message),
    path === undefined ? "" : code(`${path}:${place!.line}`),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** A code span in a cell. Nothing acts in it but the bar between cells, line ends, and as many backticks as it began with. */
function code(text: string): string {
  const line = screened(text.replaceAll(/\s+/g, " ").trim());
  if (line === "") return "";
  const fence = "`".repeat(longestRun(line) + 1);
  // A blank keeps a backtick of the text from the fence; renderers take one off each end. A bar behind a backslash cannot be escaped.
  return `${fence} ${line.replaceAll("\\|", "\\\\u007c").replaceAll("|", "\\|")} ${fence}`;
}

function foldOf(answer: CommandReport): string[] {
  let text = "";
  for (const piece of piecesOf(answer.text(paintOf(false)))) {
    text += piece;
    if (text.length > TEXT) break;
  }
  if (text.trim() === "") return [];
  const cut = text.length > TEXT ? `${text.slice(0, text.lastIndexOf("\n", TEXT) + 1)}…\n` : text;
  const shown = screened(cut).trimEnd();
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  return ["<details><summary>output</summary>", `${fence}text\n${shown}\n${fence}`, "</details>"];
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}
