// The flags of `test` for coverage, checked before anything runs.

import { nearestName } from "@celadon/base";
import { percent } from "../args/percent.ts";
import type { ArgsOf, Option } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";

export const COVERAGE_FORMATS = ["html", "lcov", "json"] as const;

export type CoverageFormat = (typeof COVERAGE_FORMATS)[number];

// biome-ignore format: one option per line
export const COVERAGE_OPTIONS = [
  { name: "coverage",            help: "report which parts of expressions no case covers" },
  { name: "coverage-out",        value: "FORMAT=FILE", repeatable: true, help: `write a coverage report to a file; formats: ${COVERAGE_FORMATS.join(", ")}`, choices: COVERAGE_FORMATS },
  { name: "coverage-min",        value: "PERCENT", help: "fail if total coverage is below this" },
  { name: "coverage-min-policy", value: "PERCENT", help: "fail if the coverage of any policy is below this" },
] as const satisfies readonly Option[];

export interface CoverageSettings {
  readonly targets: readonly { readonly format: CoverageFormat; readonly file: string }[];
  readonly min: number | undefined;
  readonly minPolicy: number | undefined;
}

/** Undefined unless a flag requests coverage; any of them does. */
export function coverageSettings(args: ArgsOf<typeof COVERAGE_OPTIONS>): CoverageSettings | undefined {
  if (!COVERAGE_OPTIONS.some(({ name }) => args.on(name))) return undefined;
  const targets = args.list("coverage-out").map(parseTarget);
  const twice = targets.find(({ file }, i) => targets.findIndex((other) => other.file === file) < i);
  if (twice !== undefined) throw new UsageError(`two formats for the same file: "${twice.file}"`);
  return { targets, min: percent(args, "coverage-min"), minPolicy: percent(args, "coverage-min-policy") };
}

function parseTarget(text: string): CoverageSettings["targets"][number] {
  const cut = text.indexOf("=");
  const name = cut === -1 ? text : text.slice(0, cut);
  const format = COVERAGE_FORMATS.find((coverageFormat) => coverageFormat === name);
  if (format === undefined) {
    const guess = nearestName(name, COVERAGE_FORMATS);
    throw new UsageError(
      `unknown coverage format "${name}"${guess === undefined ? "" : `; did you mean ${guess}?`}`,
      `one of: ${COVERAGE_FORMATS.join(", ")}`,
    );
  }
  const file = cut === -1 ? "" : text.slice(cut + 1);
  if (file === "")
    throw new UsageError(`no file after "${text}"`, `such as --coverage-out ${format}=coverage.${format}`);
  return { format, file };
}
