// A report for machines; documented in docs/reference/mutation.md.

import { fieldText } from "../suite/read/check-shape.ts";
import { type MutantResult, type MutationReport, type MutationTally, mutationScore } from "./report.ts";

/** A report of mutation testing as JSON. */
export function mutationDocument(report: MutationReport): Readonly<Record<string, unknown>> {
  const { seed, tally, same, resources, results } = report;
  return {
    apiVersion: "celadon.dev/v1",
    kind: "MutationReport",
    seed,
    summary: { ...counts(tally), same },
    resources: resources.map(({ resource, ...own }) => ({ ...resource, ...counts(own) })),
    mutants: results.map(mutantJson),
  };
}

function counts(tally: MutationTally): Readonly<Record<string, unknown>> {
  const { killed, survived, refused, noEffect, notRun } = tally;
  const score = mutationScore(tally);
  return {
    killed,
    survived,
    refused,
    noEffect,
    notRun,
    score: score === undefined ? null : Math.round(score * 100) / 100,
  };
}

function mutantJson({ mutant, outcome, killedBy, witness }: MutantResult): Readonly<Record<string, unknown>> {
  const { id, resource, mutator, edit, place, original, mutated, expression } = mutant;
  const { file: _, ...named } = resource;
  return {
    id,
    outcome,
    mutator,
    resource: named,
    path: fieldText(edit.path),
    ...(place && { file: place.file, line: place.line, column: place.column }),
    original,
    mutated,
    ...(expression !== undefined && { expression: edit.value }),
    ...(killedBy !== undefined && { killedBy }),
    ...(witness === "none" && { witness: null }),
    ...(typeof witness === "object" && { witness }),
  };
}
