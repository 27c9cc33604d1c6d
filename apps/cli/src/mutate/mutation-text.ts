// The report of mutation testing, for people: the changes that no case noticed, each with a case that would have; then the tally.

import { joinLines } from "@celadon/base";
import {
  type MutantResult,
  type MutationReport,
  type MutationTally,
  mutationScore,
  type PlannedMutant,
  survivorsOf,
  type Witness,
} from "@celadon/testing/mutate";
import { toYaml } from "../output/format/yaml.ts";
import type { Paint } from "../output/paint.ts";
import { placeText } from "../output/place-text.ts";
import { tableText } from "../output/table.ts";
import { unbroken } from "../output/visible.ts";

/** More are shown with --verbose. */
const SHOWN = 20;

export function mutationText(report: MutationReport, verbose: boolean, paint: Paint): string {
  const survivors = survivorsOf(report);
  const shown = verbose ? survivors : survivors.slice(0, SHOWN);
  const blocks = shown.map((result) => survivorText(result, paint));
  const rest = survivors.length - shown.length;
  if (rest > 0) blocks.push(`… and ${rest} more survived; -v shows them\n`);
  const table = report.resources.length > 1 ? `${resourcesText(report, paint)}\n` : "";
  return `${blocks.map((block) => `${block}\n`).join("")}${table}${tallyText(report, paint)}`;
}

function survivorText({ mutant, witness }: MutantResult, paint: Paint): string {
  const { mutator, resource, place, original, mutated } = mutant;
  const lines = [
    `${paint.yellow("--- SURVIVED")}: ${mutator} in ${unbroken(`${resource.kind} ${resource.name}`)}`,
    ...(place ? [`    ${paint.dim(placeText(place))}`] : []),
    ...(original === "" ? [] : [paint.red(`    - ${indented(original)}`)]),
    ...(mutated === "" ? [] : [paint.green(`    + ${indented(mutated)}`)]),
  ];
  if (typeof witness === "object") {
    lines.push(`    help: this case for ${unbroken(`${witness.suite} would detect it (${witness.difference})`)}:`);
    lines.push(
      ...witnessYaml(witness)
        .trimEnd()
        .split("\n")
        .map((line) => `      ${line}`),
    );
  } else if (witness === "none") {
    lines.push(
      resource.kind === "CertificateRequestPolicy"
        ? "    no variation of the suite's requests detects it; requests are not generated from scratch"
        : mutator === "params-not-found"
          ? "    help: a request without params would detect it; move the params from resources to the cases"
          : "    no object was found that detects it; the change may be equivalent",
    );
  } else lines.push("    no object was searched for: time ran out");
  return `${lines.join("\n")}\n`;
}

const indented = (text: string): string => text.trimEnd().replaceAll("\n", "\n      ");

/** An entry of a suite's `tests`. */
export function witnessYaml({ test }: Witness): string {
  return toYaml([test]);
}

/** `a <= b → a < b`, in one line. */
export function changeText({ original, mutated, mutator }: PlannedMutant): string {
  const line = (text: string): string => joinLines(text.trim());
  if (mutated === "") return `${mutator}: ${line(original)}`;
  return original === "" ? `${mutator}: ${line(mutated)}` : `${mutator}: ${line(original)} → ${line(mutated)}`;
}

function resourcesText({ resources }: MutationReport, paint: Paint): string {
  return tableText(
    {
      columns: ["resource", "killed", "survived", "not run", "score"],
      rows: resources.map(({ resource, ...tally }) => [
        `${resource.kind}/${resource.name}`,
        String(tally.killed),
        String(tally.survived),
        String(tally.notRun),
        scoreText(tally),
      ]),
    },
    paint,
  );
}

/** Rounded as coverage is: never up to 100. */
export function scoreText(tally: MutationTally): string {
  const score = mutationScore(tally);
  return score === undefined ? "-" : `${(tally.survived > 0 ? Math.min(score, 99.9) : score).toFixed(1)}%`;
}

function tallyText({ tally, same, seed, sampled }: MutationReport, paint: Paint): string {
  const { killed, survived, refused, notRun, noEffect } = tally;
  const left = [
    ...(refused > 0 ? [`${refused} that the API server would reject`] : []),
    ...(noEffect > 0 ? [`${noEffect} of failurePolicy where no evaluation fails`] : []),
    ...(same > 0 ? [`${same} equal to another`] : []),
  ];
  const text = `${killed} of ${killed + survived} changes detected, ${scoreText(tally)}`;
  const colour = survived > 0 ? paint.yellow : paint.green;
  const lines = [colour(`MUTATION  ${text}`)];
  if (left.length > 0) lines.push(`not counted: ${left.join(", ")}`);
  if (notRun > 0) lines.push(`not run: ${notRun}, ${sampled ? "not in the sample" : "time ran out"} (seed ${seed})`);
  return `${lines.join("\n")}\n`;
}
