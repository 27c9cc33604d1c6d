// The changes, for people: groups with the first few of each, what changed in the sets, and the count.

import { joinLines, pushAll } from "@celadon/base";
import type { Problem } from "@celadon/simulator";
import type { ChangeKind, OutcomeChange, ProblemChange } from "@celadon/simulator/diff";
import { speakerText } from "../outcome/names.ts";
import { startOf } from "../outcome/place.ts";
import type { Paint } from "../output/paint.ts";
import { placeText } from "../output/place-text.ts";
import { subjectText } from "../output/subject-text.ts";
import { unbroken } from "../output/visible.ts";
import { calledText, isFailureKey, partOf } from "./change-sources.ts";
import type { DiffReport } from "./diff-answer.ts";
import { countsOf, countsText, type Grouping, groupsOf, type Member } from "./groups.ts";
import { resourceLines } from "./resources.ts";
import { KIND_WORDS } from "./row.ts";

export interface DiffTextOptions {
  readonly groupBy: Grouping;
  /** Changes shown of each group. */
  readonly shown: number;
}

const MARKS: Readonly<Record<ChangeKind, readonly [string, keyof Paint]>> = {
  denied: ["✗", "red"],
  allowed: ["✓", "green"],
  error: ["!", "red"],
  answer: ["~", "yellow"],
  warnings: ["!", "yellow"],
  audit: ["~", "yellow"],
  webhooks: ["~", "yellow"],
  matching: ["~", "yellow"],
};

const UNNAMED: Readonly<Record<Grouping, string>> = {
  policy: "api server",
  namespace: "no namespace",
  owner: "no owner",
  kind: "no kind",
};

export function diffText(report: DiffReport, { groupBy, shown }: DiffTextOptions, paint: Paint): string {
  const blocks = groupsOf(report.rows, groupBy).map(({ name, members }) => {
    const title = groupBy === "policy" || name === "" ? name || UNNAMED[groupBy] : `${groupBy} ${name}`;
    const lines = [
      `${paint.bold(unbroken(title))}  ${paint.dim(countsText(countsOf(members.map(({ kind }) => kind))))}`,
    ];
    for (const member of members.slice(0, shown)) pushAll(lines, memberLines(member, report.mode, paint));
    if (members.length > shown) lines.push(paint.dim(`  … ${members.length - shown} more; --all shows them`));
    return `${lines.join("\n")}\n\n`;
  });
  const resources = resourceLines(report.resources, paint);
  return `${blocks.join("")}${resources.map((line) => `${line}\n`).join("")}${summary(report, paint)}\n`;
}

function memberLines({ row, kind, speaker }: Member, mode: DiffReport["mode"], paint: Paint): string[] {
  const { change, subject, operation, manifest, owner } = row;
  const [sign, colour] = MARKS[kind];
  const start = startOf(manifest);
  const how = operation === "CREATE" ? "" : ` ${operation}`;
  const place = start === undefined ? "" : paint.dim(`  ${placeText(start)}`);
  const belongs = owner === "" ? "" : paint.dim(`  (owner: ${unbroken(owner)})`);
  const head = `  ${paint[colour](sign)} ${subjectText(subject)}${how}  ${verdictText(change, kind)}${belongs}${place}`;
  return [
    head,
    ...differences(speaker === undefined ? change : partOf(change, speaker), mode, paint).map(
      (line) => `      ${line}`,
    ),
  ];
}

function verdictText({ was, now }: OutcomeChange, kind: ChangeKind): string {
  const word = (allowed: boolean): string => (allowed ? "allowed" : "denied");
  if (was.allowed !== now.allowed) {
    const arrow = `${word(was.allowed)} → ${word(now.allowed)}`;
    return kind === "denied" || kind === "allowed" ? arrow : `${arrow}, here ${KIND_WORDS[kind]}`;
  }
  return kind === "answer" ? KIND_WORDS.answer : `${word(now.allowed)}, ${KIND_WORDS[kind]}`;
}

/** The changes in the answer, in lines with `-` and `+`. */
function differences(change: OutcomeChange, mode: DiffReport["mode"], paint: Paint): string[] {
  const { problems, warnings, annotations, policies, webhooks, was, now } = change;
  const lines: string[] = [];
  const gone = (text: string): unknown => lines.push(paint.red(`- ${joinLines(text)}`));
  const came = (text: string): unknown => lines.push(paint.green(`+ ${joinLines(text)}`));
  for (const problem of problems) {
    if (problem.was !== undefined) gone(problemText(problem.was));
    if (problem.now !== undefined) came(problemText(problem.now));
  }
  const isListed = (text: string): boolean => problems.some((problem) => hasWarning(problem, text));
  for (const text of warnings.removed) if (!isListed(text)) gone(`warning: ${text}`);
  for (const text of warnings.added) if (!isListed(text)) came(`warning: ${text}`);
  for (const annotation of annotations) {
    if (isFailureKey(annotation.key)) continue;
    if (annotation.was !== undefined) gone(`annotation ${annotation.key}: ${annotation.was}`);
    if (annotation.now !== undefined) came(`annotation ${annotation.key}: ${annotation.now}`);
  }
  for (const name of policies.removed) gone(`matched by policy ${name}`);
  for (const name of policies.added) came(`matched by policy ${name}`);
  for (const webhook of webhooks.removed) gone(`calls webhook ${calledText(webhook)}`);
  for (const webhook of webhooks.added) came(`calls webhook ${calledText(webhook)}`);
  // Only the answer itself shows the recorded one.
  if ((mode === "recorded" || lines.length === 0) && !was.allowed)
    lines.unshift(paint.red(`- ${joinLines(was.message ?? "denied")}`));
  if (lines.length === 0 && !now.allowed) came(now.message ?? "denied");
  return lines;
}

function hasWarning({ was, now }: ProblemChange, warning: string): boolean {
  return [was, now].some((problem) => problem !== undefined && (problem.warning ?? problem.message) === warning);
}

const LEVEL_WORDS: Readonly<Record<Problem["level"], string>> = {
  deny: "denied",
  warn: "warned",
  audit: "audited",
  ignored: "error ignored",
  notice: "warning",
};

function problemText(problem: Problem): string {
  return `${LEVEL_WORDS[problem.level]} by ${speakerText(problem)}: ${problem.message}`;
}

function summary({ mode, objects, rows, agreed, otherMessages }: DiffReport, paint: Paint): string {
  const counts = countsText(countsOf(rows.map(({ change }) => change.kind)));
  const things = mode === "recorded" ? "recorded answer" : "object";
  const all = `${objects} ${things}${objects === 1 ? "" : "s"}`;
  if (mode === "recorded") {
    const same = `${agreed.allowed + agreed.denied} of ${all} agree (${agreed.allowed} allowed, ${agreed.denied} denied)`;
    const texts =
      otherMessages > 0 && !counts.includes(KIND_WORDS.answer)
        ? `; ${otherMessages} denied with a different message`
        : "";
    return rows.length === 0
      ? paint.green(`${same}${texts}`)
      : paint.red(`${same}, ${rows.length} ${rows.length === 1 ? "differs" : "differ"}: ${counts}${texts}`);
  }
  if (rows.length === 0) return paint.green(`no verdict changes for ${all}`);
  const line = `${rows.length} of ${all} changed: ${counts}`;
  return rows.some(({ change }) => change.kind === "denied") ? paint.red(line) : paint.yellow(line);
}
