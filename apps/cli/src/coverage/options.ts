// The flags of `test` for coverage, checked before anything runs.

import { nearestName } from "@celadon/base";
import type { Args, Option } from "../command.ts";
import { UsageError } from "../exit.ts";

export const COVERAGE_FORMATS = ["html", "lcov", "json"] as const;

export type CoverageFormat = (typeof COVERAGE_FORMATS)[number];

// biome-ignore format: one option per line
export const COVERAGE_OPTIONS: readonly Option[] = [
  { name: "coverage",            help: "show which parts of expressions no case has tried" },
  { name: "coverage-out",        value: "FORMAT=FILE", repeatable: true, help: `coverage in a file: ${COVERAGE_FORMATS.join(", ")}`, choices: COVERAGE_FORMATS },
  { name: "coverage-min",        value: "PERCENT", help: "fail when less is covered in total" },
  { name: "coverage-min-policy", value: "PERCENT", help: "fail when less is covered of any policy" },
];

export interface CoverageWish {
  readonly targets: readonly { readonly format: CoverageFormat; readonly file: string }[];
  readonly min: number | undefined;
  readonly minPolicy: number | undefined;
}

/** Undefined when no flag asks for coverage; any of them does. */
export function coverageWish(args: Args): CoverageWish | undefined {
  if (!COVERAGE_OPTIONS.some(({ name }) => args.on(name))) return undefined;
  const targets = args.list("coverage-out").map(parseTarget);
  const twice = targets.find(({ file }, i) => targets.findIndex((other) => other.file === file) < i);
  if (twice !== undefined) throw new UsageError(`two formats for one file: "${twice.file}"`);
  return { targets, min: percent(args, "coverage-min"), minPolicy: percent(args, "coverage-min-policy") };
}

function parseTarget(text: string): CoverageWish["targets"][number] {
  const cut = text.indexOf("=");
  const name = cut === -1 ? text : text.slice(0, cut);
  const format = COVERAGE_FORMATS.find((one) => one === name);
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

function percent(args: Args, name: string): number | undefined {
  const text = args.text(name);
  if (text === undefined) return undefined;
  const number = /^\d{1,3}(\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (number >= 0 && number <= 100) return number;
  throw new UsageError(`flag --${name}: "${text}" is not a percentage from 0 to 100`);
}
