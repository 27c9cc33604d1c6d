// The report of lint, in every format.

import { dataPathText } from "@celadon/cel/explain";
import type { Minor } from "@celadon/kube-cel";
import {
  LINT_CODES,
  type LintCode,
  type Linted,
  type LintLevel,
  type LintProblem,
  problemPlace,
  relatedPlace,
} from "@celadon/lint";
import { type NothingJudged, withNothingJudged } from "../inputs/nothing-judged.ts";
import { subjectOf } from "../outcome/names.ts";
import { startOf } from "../outcome/place.ts";
import type { CommandReport, Level, ReportRow, Table } from "../output/answer.ts";
import { frame } from "../output/frame.ts";
import type { Colour, Paint } from "../output/paint.ts";
import { placeText } from "../output/place-text.ts";
import { subjectText } from "../output/subject-text.ts";
import { EXIT } from "../program/exit.ts";

const NOTHING_TO_LINT: NothingJudged = {
  message: "nothing to lint: no policies, bindings, webhook configurations, CRDs or certificate policies in the inputs",
  hint: "`celadon check` judges other objects",
};

/** People get the problems that are shown, and the number of the others; programs get all. */
export function lintAnswer(
  linted: Linted,
  minors: readonly Minor[],
  isShown: (problem: LintProblem) => boolean,
): CommandReport {
  const { problems } = linted;
  const shown = { ...linted, problems: problems.filter(isShown) };
  const folded = problems.length - shown.problems.length;
  const answer: CommandReport = {
    results: resultsOf(shown),
    document: {
      apiVersion: "celadon.dev/v1",
      kind: "LintReport",
      kubeVersions: minors,
      summary: countsOf(linted),
      problems: problems.map(problemJson),
    },
    text: (paint) => `${lintText(shown, paint)}${foldedText(folded, paint)}`,
    table: tableOf(shown.problems),
    exit: problems.some(({ level }) => level === "error") ? EXIT.failed : EXIT.ok,
  };
  return linted.resources.length === 0 ? withNothingJudged(answer, NOTHING_TO_LINT) : answer;
}

const RESULT_LEVELS: Readonly<Record<LintLevel, Level>> = { error: "fail", warning: "warn", note: "skip" };

/** The rows of problems, in their order. */
export function problemRows(problems: readonly LintProblem[]): readonly ReportRow[] {
  return resultsOf({ resources: [], problems });
}

function resultsOf({ resources, problems }: Linted): readonly ReportRow[] {
  const rows = problems.map((problem): ReportRow => {
    const { code, level, manifest, message, help, path, related = [] } = problem;
    const place = problemPlace(problem);
    const subject = subjectOf(manifest.object);
    const others = related.flatMap((other) => {
      const found = relatedPlace(other);
      return found === undefined ? [] : [{ message: other.message, place: found }];
    });
    return {
      group: place?.file ?? "",
      name: `${subjectText(subject)}: ${code}`,
      level: RESULT_LEVELS[level],
      rule: `lint/${code}`,
      ruleText: LINT_CODES.get(code)!.text,
      ruleUrl: LINT_CODES.get(code)!.url,
      message,
      ...(help !== undefined && { detail: `help: ${help}` }),
      ...(place && { place }),
      ...(others.length > 0 && { related: others }),
      policy: subject.name,
      policyRule: code,
      system: "lint",
      subject,
      ...(path.length > 0 && { field: dataPathText({ root: "object", path }) }),
    };
  });
  const spoken = new Set(problems.map(({ manifest }) => manifest));
  const passed = resources
    .filter((manifest) => !spoken.has(manifest))
    .map((manifest): ReportRow => {
      const subject = subjectOf(manifest.object);
      const place = startOf(manifest);
      const about = { policy: subject.name, system: "lint", subject, ...(place && { place }) };
      return {
        group: place?.file ?? "",
        name: subjectText(subject),
        level: "pass",
        rule: "lint",
        message: "",
        ...about,
      };
    });
  return [...rows, ...passed];
}

function problemJson(problem: LintProblem): Readonly<Record<string, unknown>> {
  const { code, level, manifest, path, message, help, related = [] } = problem;
  return {
    code,
    level,
    url: LINT_CODES.get(code)!.url,
    message,
    ...(help !== undefined && { help }),
    resource: subjectOf(manifest.object),
    path,
    place: problemPlace(problem),
    ...(related.length > 0 && {
      related: related.map((other) => ({ message: other.message, place: relatedPlace(other) })),
    }),
  };
}

const COLOURS: Readonly<Record<LintLevel, Colour>> = { error: "red", warning: "yellow", note: "cyan" };

function lintText(linted: Linted, paint: Paint): string {
  if (linted.resources.length === 0) return "";
  const blocks = linted.problems.map((problem) => problemText(problem, paint));
  return `${blocks.map((block) => `${block}\n`).join("")}${summaryText(linted, paint)}\n`;
}

function foldedText(folded: number, paint: Paint): string {
  if (folded === 0) return "";
  const what = folded === 1 ? "1 note about types is" : `${folded} notes about types are`;
  return paint.dim(`${what} not shown; --type-notes shows what some of the matched kinds lack\n`);
}

function problemText(problem: LintProblem, paint: Paint): string {
  const { code, level, manifest, help, related = [] } = problem;
  const place = problemPlace(problem);
  const message = `${paint[COLOURS[level]](level)}: ${problem.message} ${paint.dim(`[${code}]`)}`;
  const head =
    place === undefined
      ? `${subjectText(subjectOf(manifest.object))}: ${message}\n`
      : frame({
          ...place,
          text: (line) => manifest.origin?.lineText(line),
          length: (place.endColumn ?? place.column + 1) - place.column,
          message,
          paint,
        });
  const lines = related.map((other) => {
    const found = relatedPlace(other);
    return paint.dim(`  ${found === undefined ? "" : `${placeText(found)}: `}${other.message}\n`);
  });
  return `${head}${lines.join("")}${help === undefined ? "" : `  ${paint.green("help:")} ${help}\n`}`;
}

function countsOf({ resources, problems }: Linted): Readonly<Record<"resources" | `${LintLevel}s`, number>> {
  const of = (level: LintLevel): number => problems.filter((problem) => problem.level === level).length;
  return { resources: resources.length, errors: of("error"), warnings: of("warning"), notes: of("note") };
}

function summaryText(linted: Linted, paint: Paint): string {
  const { resources, errors, warnings, notes } = countsOf(linted);
  const looked = number(resources, "resource");
  if (errors + warnings + notes === 0) return paint.green(`${looked}, no problems`);
  const parts = [number(errors, "error"), number(warnings, "warning"), number(notes, "note")];
  const line = `${looked}, ${parts.join(", ")}`;
  return errors > 0 ? paint.red(line) : warnings > 0 ? paint.yellow(line) : line;
}

const number = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

function tableOf(problems: readonly LintProblem[]): Table {
  const rows = problems.map((problem) => {
    const place = problemPlace(problem);
    const { kind, name } = subjectOf(problem.manifest.object);
    return [problem.level, problem.code, kind, name, place ? placeText(place) : "", problem.message];
  });
  return { columns: ["LEVEL", "CODE", "KIND", "NAME", "PLACE", "MESSAGE"], rows };
}

/** `--explain CODE`. */
export function codeAnswer(code: LintCode): CommandReport {
  const { level, text, fix, url } = LINT_CODES.get(code)!;
  return {
    results: [],
    document: { apiVersion: "celadon.dev/v1", kind: "LintCode", code, level, text, fix, url },
    text: (paint) =>
      `${paint.bold(code)}  ${paint[COLOURS[level]](level)}\n\n${text}\n\n${paint.green("help:")} ${fix}\n${paint.dim(url)}\n`,
    table: { columns: ["CODE", "LEVEL", "MEANING", "FIX"], rows: [[code, level, text, fix]] },
    exit: EXIT.ok,
  };
}

/** `--list`. */
export function codesAnswer(): CommandReport {
  const codes = [...LINT_CODES].map(([code, { level, text, fix, url }]) => ({ code, level, text, fix, url }));
  const table = {
    columns: ["CODE", "LEVEL", "MEANING"],
    rows: codes.map(({ code, level, text }) => [code, level, text]),
  };
  const width = Math.max(...codes.map(({ code }) => code.length));
  return {
    results: [],
    document: { apiVersion: "celadon.dev/v1", kind: "LintCodes", codes },
    text: (paint) =>
      codes
        .map(
          ({ code, level, text }) =>
            `${paint.bold(code.padEnd(width))}  ${paint[COLOURS[level]](level.padEnd(7))}  ${text}\n`,
        )
        .join(""),
    table,
    exit: EXIT.ok,
  };
}
