// Converted policies and suites as YAML for people: the origin of each, notes for the reader, and the parts that could not be converted.

import type { KubeObject } from "@celadon/kube";
import {
  type ConversionProblem,
  type ConvertedPolicy,
  type Imported,
  sourceText,
  suiteDocument,
} from "@celadon/testing/import";
import { toYaml } from "../output/format/yaml.ts";
import { visible } from "../output/visible.ts";

/** Problems with where they are, ready to be shown. */
export interface ShownProblem extends ConversionProblem {
  readonly where: string;
}

export interface PolicyBlock {
  readonly made: ConvertedPolicy;
  readonly file: string;
}

/** Every policy with its bindings, each under a line that names its source. */
export function policiesText(
  blocks: readonly PolicyBlock[],
  more: readonly KubeObject[],
  problems: readonly ShownProblem[],
): string {
  const documents = blocks.flatMap(({ made, file }) => {
    const lead = [
      `From ${sourceText(made.source)} of ${file}${made.derived ? ", derived for workloads" : ""}.`,
      ...made.notes.map((note) => `Note: ${note}.`),
    ];
    return [comment(lead) + toYaml(made.policy), ...made.bindings.map(toYaml), ...made.params.map(toYaml)];
  });
  const rest = more.map(toYaml);
  return (
    notConverted(problems.map(({ where, message }) => `${where}: ${message}`)) + [...documents, ...rest].join("---\n")
  );
}

/** Writes a suite whose resources are in a file beside it, or, without one, in the suite itself. */
export function suiteText(imported: Imported, resources?: string): string {
  const { tool, suite, skipped } = imported;
  const lead = comment([`From the ${tool} suite ${suite.origin.file}.`]);
  const left = notConverted(skipped.map(({ case: testCase, reason }) => `${testCase.name}: ${reason}`));
  return lead + left + toYaml(suiteDocument(imported, resources === undefined ? undefined : [resources]));
}

function notConverted(lines: readonly string[]): string {
  return lines.length === 0 ? "" : comment(["Not converted:", ...lines.map((line) => `- ${line}`)]);
}

function comment(lines: readonly string[]): string {
  return lines
    .flatMap((line) => line.split(/\r\n|[\r\n\u0085\u2028\u2029]/))
    .map((line) => visible(`# ${line}`).trimEnd())
    .map((line) => `${line}\n`)
    .join("");
}
