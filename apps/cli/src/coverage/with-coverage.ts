// The answer of `test` with coverage: its text, its part of the document, its files, and what falls below the thresholds.

import type { Suite } from "@celadon/testing";
import {
  type CoverageCollector,
  type CoverageCount,
  type CoverageReport,
  type CoveredResource,
  coverageDocument,
  coverageHtml,
  coverageLcov,
  coverageReport,
  percentOf,
} from "@celadon/testing/coverage";
import type { CommandReport, ReportRow } from "../output/answer.ts";
import { toJson } from "../output/format/json.ts";
import { wholeText } from "../output/pieces.ts";
import { remark } from "../output/say.ts";
import { visible } from "../output/visible.ts";
import { writeFiles } from "../output/write.ts";
import { EXIT } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { coverageText } from "./coverage-text.ts";
import type { CoverageFormat, CoverageSettings } from "./options.ts";

export interface Coverage {
  readonly settings: CoverageSettings;
  readonly collector: CoverageCollector;
  readonly suites: readonly Suite[];
}

const RENDER: Readonly<Record<CoverageFormat, (report: CoverageReport) => string>> = {
  html: (report) => visible(coverageHtml(report)),
  lcov: (report) => visible(coverageLcov(report)),
  json: (report) => `${toJson(coverageDocument(report))}\n`,
};

export async function withCoverage(
  answer: CommandReport,
  { settings, collector, suites }: Coverage,
  io: Io,
): Promise<CommandReport> {
  const clusters = suites.map(({ resources, cases }) => [
    ...resources,
    ...cases.flatMap((testCase) => testCase.resources),
  ]);
  const report = coverageReport(collector, clusters);
  const files = settings.targets.map(({ format, file }) => ({ file, text: RENDER[format](report) }));
  io.signal.throwIfAborted();
  if (files.length > 0) await writeFiles(new Map(files.map(({ file, text }) => [file, text])), io);
  const below = belowThreshold(report, settings);
  for (const { message } of below) remark(io, `celadon: ${message}`);
  return {
    ...answer,
    results: [...answer.results, ...below],
    document: { ...answer.document, coverage: coverageDocument(report) },
    text: (paint) => `${wholeText(answer.text(paint))}\n${coverageText(report, paint)}`,
    exit: answer.exit === EXIT.ok && below.length > 0 ? EXIT.failed : answer.exit,
  };
}

function belowThreshold(
  { total, policies }: CoverageReport,
  { min, minPolicy }: CoverageSettings,
): readonly ReportRow[] {
  return [
    ...(min !== undefined && isBelow(total, min) ? [failure("total", total, `--coverage-min ${min}`)] : []),
    ...policies
      .filter((policy) => minPolicy !== undefined && isBelow(policy, minPolicy))
      .map((policy) => failure(policy.name, policy, `--coverage-min-policy ${minPolicy}`, policy)),
  ];
}

/** By the points themselves, not by their lines. */
const isBelow = ({ points, covered }: CoverageCount, min: number): boolean => covered * 100 < min * points;

function failure(name: string, count: CoverageCount, flag: string, resource?: CoveredResource): ReportRow {
  const what = resource === undefined ? "coverage" : `coverage of ${resource.kind} "${name}"`;
  const place = resource?.place;
  return {
    group: "coverage",
    name,
    level: "fail",
    rule: "coverage",
    ruleText: "coverage of expressions by test cases",
    message: `${what} is ${percentOf(count).toFixed(1)}% (${count.covered} of ${count.points} points), below ${flag}`,
    ...(place && { place: { file: place.file, line: place.line, column: place.column } }),
    ...(resource && { policy: name }),
    system: "test",
  };
}
