// Answers about all objects as a report: rows for CI formats, a document for programs, blocks with an object for people.

import { type AskedQuestion, isNote, type ProofAnswer, reasonOf, sentenceOf, suiteCase } from "@celadon/prove";
import { placeOf } from "@celadon/simulator/manifests";
import type { CommandReport, ReportRow } from "../output/answer.ts";
import { toYaml } from "../output/format/yaml.ts";
import { frame } from "../output/frame.ts";
import type { Paint } from "../output/paint.ts";
import { EXIT } from "../program/exit.ts";

export function answersReport(asked: readonly AskedQuestion[], all: boolean): CommandReport {
  const problems = asked.filter(({ isProblem }) => isProblem);
  const unknown = asked.filter(({ answer }) => answer.is === "unknown");
  const shown = all ? asked : asked.filter((item) => item.isProblem || isNote(item) || item.answer.is === "unknown");
  return {
    results: asked.map(resultOf),
    document: {
      apiVersion: "celadon.dev/v1",
      kind: "ProofReport",
      answers: asked.map(documentOf),
      summary: {
        proved: asked.length - problems.length - unknown.length,
        problems: problems.length,
        unknown: unknown.length,
      },
    },
    text: (paint) =>
      `${shown.map((item) => blockOf(item, paint)).join("\n")}${shown.length > 0 ? "\n" : ""}${tally(asked, problems.length, unknown.length, paint)}\n`,
    table: {
      columns: ["NAME", "PART", "QUESTION", "ANSWER", "SAYS"],
      rows: asked.map(({ name, part, question, answer, says }) => [name, part, question, answer.is, says]),
    },
    exit: problems.length > 0 ? EXIT.failed : EXIT.ok,
  };
}

function titleOf(item: AskedQuestion): string {
  const reason = reasonOf(item);
  const sentence = sentenceOf(item);
  if (reason === undefined) return sentence;
  return item.answer.is === "unknown" ? `${sentence}; ${reason}` : `${sentence}: ${reason}`;
}

function resultOf(item: AskedQuestion): ReportRow {
  const { system, name, part, question, answer, isProblem, manifest, path } = item;
  const place = placeOf(manifest, path);
  const test = suiteCase(item);
  return {
    group: place?.file ?? name,
    name: `${name} · ${part === "" ? system : part} · ${question}`,
    level: isProblem ? "fail" : answer.is === "unknown" ? "skip" : isNote(item) ? "warn" : "pass",
    rule: `prove/${question}`,
    message: isProblem || isNote(item) || answer.is === "unknown" ? titleOf(item) : "",
    ...(test && { detail: caseYaml(test) }),
    ...(place && { place }),
    ...(system === "policy" && { policy: name }),
    system: SYSTEMS[system],
  };
}

const SYSTEMS = { policy: "policy", rule: "rules", webhook: "webhook", certificate: "certificate" } as const;

function documentOf({ system, name, part, question, answer, says, isProblem, manifest, path }: AskedQuestion): object {
  const place = placeOf(manifest, path);
  return {
    system,
    name,
    part,
    question,
    says,
    isProblem,
    reachesNothing: answer.is === "proved" && answer.reachesNothing === true,
    ...answer,
    ...(place && { place }),
  };
}

function blockOf(item: AskedQuestion, paint: Paint): string {
  const { answer, isProblem, manifest, path } = item;
  const place = placeOf(manifest, path);
  const title = isNote(item) ? `note: ${titleOf(item)}` : titleOf(item);
  const painted = isProblem ? paint.red(title) : title;
  const head =
    place === undefined || !isProblem
      ? `${place === undefined ? "" : `${place.file}:${place.line}:${place.column}: `}${painted}\n`
      : frame({ ...place, message: title, text: (line) => manifest.origin?.lineText(line), paint });
  const test = isProblem ? suiteCase(item) : undefined;
  const example = test === undefined ? "" : indent(caseYaml(test));
  return `${head}${answer.is === "proved" && !isNote(item) ? assumptionLines(answer) : ""}${example}`;
}

function tally(asked: readonly AskedQuestion[], problems: number, unknown: number, paint: Paint): string {
  const text = `${asked.length} questions: ${asked.length - unknown} answered, ${unknown} unknown, ${problems} ${problems === 1 ? "problem" : "problems"}`;
  return problems > 0 ? paint.red(text) : paint.green(text);
}

/** The assumptions of a proof, a line each. */
export function assumptionLines({ assumptions }: ProofAnswer & { readonly is: "proved" }): string {
  return assumptions.map((text) => `  assuming: ${text}\n`.replace("assuming: for ", "for ")).join("");
}

export function caseYaml(test: object): string {
  return toYaml([test as Readonly<Record<string, unknown>>]);
}

export function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "    ");
}
