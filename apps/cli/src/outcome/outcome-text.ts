// An outcome as people read it: one line for the object, one or more for each problem, the refusal a client would see marked.

import { pushAll } from "@celadon/base";
import { dataPathText } from "@celadon/cel/explain";
import type { Problem } from "@celadon/simulator";
import { quotingHelp } from "@celadon/simulator/manifests";
import type { Paint } from "../output/paint.ts";
import { placeText } from "../output/place-text.ts";
import { subjectText } from "../output/subject-text.ts";
import { oneLine } from "../output/visible.ts";
import { mutationLines } from "./mutations.ts";
import { speakerText } from "./names.ts";
import { startOf } from "./place.ts";
import { isDenied, problemPlace, type ReviewedObject } from "./reviewed.ts";

const MARKS: Readonly<Record<Problem["level"], readonly [string, keyof Paint, string]>> = {
  deny: ["✗", "red", "denied"],
  warn: ["!", "yellow", "warned"],
  audit: ["!", "yellow", "audited"],
  ignored: ["!", "yellow", "error ignored"],
  notice: ["!", "yellow", "warning"],
};

export function reviewedText(reviewed: ReviewedObject, paint: Paint): string {
  const { manifest, subject, operation, problems } = reviewed;
  const start = startOf(manifest);
  const how = operation === "CREATE" ? "" : ` ${operation}`;
  const place = start === undefined ? "" : paint.dim(`  ${oneLine(start.file)}:${start.line}`);
  const lines = [
    `${mark(reviewed, paint)} ${paint.bold(subjectText(subject))}${how}${place}${summary(reviewed, paint)}`,
  ];
  pushAll(lines, mutationLines(reviewed.mutations, paint));
  // One refusal may have several causes, and all of them are returned.
  const several = problems.some(({ level, returned }) => level === "deny" && !returned);
  for (const problem of problems) pushAll(lines, problemLines(reviewed, problem, several, paint));
  return `${lines.join("\n")}\n`;
}

function mark(reviewed: ReviewedObject, paint: Paint): string {
  if (isDenied(reviewed)) return paint.red("✗");
  return reviewed.problems.length > 0 || reviewed.isExcused ? paint.yellow("!") : paint.green("✓");
}

/** A certificate request is admitted by the API server and then decided by the approver. */
function allowedText(allowed: boolean, isCertificate: boolean): string {
  if (!allowed) return "denied";
  return isCertificate ? "admitted" : "allowed";
}

function summary({ policies, webhooks, certificate, allowed, isExcused }: ReviewedObject, paint: Paint): string {
  const parts: string[] = [isExcused ? "denied, and suppressed" : allowedText(allowed, certificate !== undefined)];
  if (policies.length > 0) parts.push(`${policies.length} ${policies.length === 1 ? "policy" : "policies"}`);
  const called = webhooks.flatMap((webhook) => (webhook.called ? [webhook.webhook] : []));
  if (called.length > 0) parts.push(`calls ${called.join(", ")}`);
  if (certificate !== undefined) {
    const result = certificate.result === "Error" ? "not decided" : certificate.result.toLowerCase();
    const contrast = allowed && isDenied({ allowed, certificate }) ? "but " : "";
    parts.push(`${contrast}the certificate request is ${result}`);
  }
  return paint.dim(`  ${parts.join(", ")}`);
}

function problemLines(reviewed: ReviewedObject, problem: Problem, several: boolean, paint: Paint): string[] {
  const [sign, colour, word] = MARKS[problem.level];
  const returned = several && problem.returned ? paint.bold("  ← the message the client sees") : "";
  const lines = headLines(problem, [`${paint[colour](`${sign} ${word}`)} by`, returned], (text) =>
    paint[colour](`${sign} ${text}`),
  );
  const place = problemPlace(reviewed, problem);
  const path = reviewed.blame.get(problem) ?? (problem.path && { root: "object", path: problem.path });
  if (path !== undefined && path.path.length > 0) {
    const value = problem.value === undefined ? "" : ` = ${shown(problem.value)}`;
    lines.push(paint.dim(`        ${oneLine(dataPathText(path))}${value}${place ? `   ${placeText(place)}` : ""}`));
  }
  const written = reviewed.expressions.get(problem);
  if (written !== undefined) lines.push(paint.dim(`        written at ${placeText(written)}`));
  const help = problem.help ?? (needsText(problem) ? quotingHelp(reviewed.manifest, problem.path ?? []) : undefined);
  if (help !== undefined) lines.push(`        help: ${help}`);
  return lines;
}

/** The source of a problem, and its message. A server's words are not those of this program: its own begin with its name. */
function headLines(
  problem: Problem,
  [by, returned]: readonly [string, string],
  marked: (text: string) => string,
): string[] {
  const [first = "", ...rest] = problem.message.split("\n");
  const below = (lines: readonly string[]): string[] => lines.map((line) => `        ${line}`);
  if (problem.finding !== undefined) {
    return [`    ${marked(`celadon, about ${speakerText(problem)}`)}`, ...below([first, ...rest])];
  }
  if (problem.isOwn === true) return [`    ${marked("celadon:")} ${first}`, ...below(rest)];
  if (problem.system === "certificate" && problem.by === undefined) {
    return [`    ${marked("certificate request:")} ${first}`, ...below(rest)];
  }
  return [`    ${by} ${speakerText(problem)}${returned}`, ...below([first, ...rest])];
}

/** In kinds without known types, metadata still consists of texts, and words are read as booleans. */
function needsText({ wanted, fieldError, path, value }: Problem): boolean {
  if (wanted !== undefined) return wanted === "string";
  return fieldError === undefined && (typeof value === "boolean" || path?.[0] === "metadata");
}

const SHOWN = 120;

/** The beginning of a value. Each part takes a character at least, so parts beyond that many are not written: many problems may name one long list. */
function shown(value: unknown): string {
  let parts = 0;
  const beginning = (_key: string, item: unknown): unknown => {
    if (parts++ > SHOWN) return 0;
    if (typeof item === "bigint") return Number(item);
    return Array.isArray(item) && item.length > SHOWN ? item.slice(0, SHOWN) : item;
  };
  const text = JSON.stringify(value, beginning) ?? "";
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
