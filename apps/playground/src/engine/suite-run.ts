// The test suite of the work: read, run against the texts, with its coverage of the policies. A suite names its files as the texts are
// called.

import { WORK_TEXTS, type WorkText } from "@celadon/language/playground";
import { readManifests } from "@celadon/simulator/manifests";
import { type Loader, readSuite, runSuite, SUITE_KIND, suiteIssueText } from "@celadon/testing";
import { CoverageCollector, coverageReport, missingText, percentOf } from "@celadon/testing/coverage";
import type { Coverage, Spot, SuiteAnswer, TestCase } from "../model/answer.ts";
import type { Session } from "./session.ts";
import { FILE_NAMES } from "./texts.ts";

const EMPTY: SuiteAnswer = { problems: [], cases: [], coverage: [] };

export async function suiteAnswer(session: Session): Promise<SuiteAnswer> {
  const text = session.texts.text("tests");
  if (text.trim() === "") return EMPTY;
  await session.loadParts();
  const { manifests, issues } = readManifests(text, FILE_NAMES.tests);
  const spots = new LineSpots(session);
  if (issues.length > 0) {
    return { ...EMPTY, problems: issues.map(({ message, offset }) => problemAt(message, offset)) };
  }
  const suites = manifests.filter(({ object }) => object.kind === SUITE_KIND);
  if (suites.length === 0) {
    return { ...EMPTY, problems: [{ message: `The tests have no ${SUITE_KIND}. "Make it a test" writes one.` }] };
  }
  const problems: { message: string; spot?: Spot }[] = [];
  const cases: TestCase[] = [];
  const collector = new CoverageCollector();
  for (const { object, origin } of suites) {
    const { suite, issues: wrong } = await readSuite({ value: object, origin: origin! }, loaderOf(session));
    if (suite === undefined) {
      problems.push(
        ...wrong.map((issue) => ({ message: suiteIssueText(issue), ...spots.at("tests", issue.line, issue.column) })),
      );
      continue;
    }
    const run = await runSuite(suite, { observe: (_one, simulated) => collector.watch(simulated) });
    problems.push(...run.issues.map((issue) => ({ message: suiteIssueText(issue) })));
    for (const { case: testCase, result, differences, reason, place } of run.cases) {
      const details = [
        ...(reason === undefined ? [] : [reason]),
        ...differences.map(({ aspect, expected, actual }) => `${aspect}: expected ${expected}, got ${actual}`),
      ];
      cases.push({ name: testCase.name, result, details, ...spots.at("tests", place?.line, place?.column) });
    }
  }
  const report = coverageReport(collector, [readManifests(session.texts.text("policy"), FILE_NAMES.policy).manifests]);
  const coverage = report.policies.flatMap(({ expressions }) =>
    expressions.flatMap(({ kind, path, points }): Coverage[] => {
      const place = points.find((point) => point.place !== undefined)?.place;
      if (place === undefined || points.length === 0) return [];
      const missed = points.filter(({ covered }) => !covered);
      const last = points
        .map((point) => point.place!)
        .filter(Boolean)
        .sort((a, b) => b.endLine - a.endLine)[0]!;
      const from = spots.at("policy", place.line, place.column).spot;
      const to = spots.at("policy", last.endLine, last.endColumn).spot;
      if (from === undefined || to === undefined) return [];
      return [
        {
          spot: { text: "policy", from: Math.min(from.from, to.from), to: Math.max(from.from, to.from) },
          covered: missed.length === 0 ? "all" : missed.length === points.length ? "none" : "some",
          what: pathText(path) || kind,
          missing: [...new Set(missed.map((point) => `${missingText(point)}: ${oneLine(point.text)}`))],
        },
      ];
    }),
  );
  const { total } = report;
  return { problems, cases, coverage, ...(total.points > 0 && { percent: percentOf(total) }) };
}

/** `validations[1]` for the place of an expression in a policy; empty for other places, such as a binding. */
function pathText(path: readonly (string | number)[]): string {
  const [, ...steps] = path.filter((step) => step !== "expression" && step !== "rule");
  return steps
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").replace(/\( /g, "(").replace(/ \)/g, ")");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

function problemAt(message: string, offset: number): { message: string; spot: Spot } {
  return { message, spot: { text: "tests", from: offset, to: offset + 1 } };
}

/** Files of a suite are the texts. */
function loaderOf(session: Session): Loader {
  return {
    load: async (path) => {
      const name = WORK_TEXTS.find((text) => FILE_NAMES[text] === path.replace(/^\.\//, ""));
      if (name === undefined || name === "tests") {
        const known = WORK_TEXTS.filter((text) => text !== "tests").map((text) => FILE_NAMES[text]);
        return { manifests: [], issues: [{ message: `no file ${path}`, hint: `use ${known.join(", ")}` }] };
      }
      const { manifests, issues } = readManifests(session.texts.text(name), FILE_NAMES[name]);
      return { manifests, issues: issues.map(({ message, line, column, file }) => ({ message, line, column, file })) };
    },
  };
}

/** Lines and columns of a text as offsets. */
class LineSpots {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  at(text: WorkText, line: number | undefined, column = 1): { readonly spot?: Spot } {
    const { source } = this.#session.texts.file(text);
    if (line === undefined) return {};
    const from = source.offsetAt({ line: line - 1, character: column - 1 });
    return { spot: { text, from, to: Math.min(from + 1, source.text.length) } };
  }
}
