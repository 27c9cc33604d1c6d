// The report of a mutation run: scores, survivors, and changes that were not tried. In the order of the plan, not of the runs.

import type { Aspects, MutatedResource } from "./mutant.ts";
import type { MutationRun } from "./mutation.ts";
import type { PlannedMutant } from "./plan.ts";
import type { Fate } from "./trial.ts";
import type { Witness } from "./witness.ts";

/** The number of detected changes, and of undetected ones. */
export interface MutationTally {
  readonly killed: number;
  readonly survived: number;
  /** Changes that the API server would not take. */
  readonly refused: number;
  /** Left over when time ran out, or not in the sample. */
  readonly notRun: number;
  /** Changes of what happens on failures, where nothing was found to fail. */
  readonly noEffect: number;
}

/** The outcome of a change: a case noticed it, none did, it was not run. */
export type MutantOutcome = Fate["outcome"] | "not-run" | "no-effect";

/** A change and what became of it. */
export interface MutantResult {
  readonly mutant: PlannedMutant;
  readonly outcome: MutantOutcome;
  /** `suite/case` that failed. */
  readonly killedBy?: string;
  /** The witness of a survivor; `none` if nothing was found, absent if nothing was searched for. */
  readonly witness?: Witness | "none";
}

/** The score of one resource. */
export interface MutatedScore extends MutationTally {
  readonly resource: MutatedResource;
}

/** The outcome of all changes. */
export interface MutationReport {
  readonly seed: number;
  readonly tally: MutationTally;
  /** Changes left out because they say the same as the original, or as another. */
  readonly same: number;
  readonly sampled: boolean;
  readonly aspects: Aspects;
  readonly resources: readonly MutatedScore[];
  readonly results: readonly MutantResult[];
}

/** Counts what became of changes. */
export function mutationReport({ plan, seed, chosen, fates, witnesses }: MutationRun): MutationReport {
  const results = plan.mutants.map((mutant, i): MutantResult => {
    const fate = fates.get(i);
    if (fate === undefined) return { mutant, outcome: "not-run" };
    const none = witnesses.has(i) && witnesses.get(i) === undefined;
    if (none && mutant.mutator === "failure-policy") return { mutant, outcome: "no-effect" };
    return {
      mutant,
      outcome: fate.outcome,
      ...(fate.outcome === "killed" && { killedBy: `${fate.suite}/${fate.case}` }),
      ...(witnesses.has(i) && { witness: witnesses.get(i) ?? "none" }),
    };
  });
  const byResource = new Map<string, MutantResult[]>();
  for (const result of results) {
    const known = byResource.get(result.mutant.key);
    if (known === undefined) byResource.set(result.mutant.key, [result]);
    else known.push(result);
  }
  return {
    seed,
    tally: tallyOf(results),
    same: plan.same,
    sampled: chosen.size < plan.mutants.length,
    aspects: plan.aspects,
    resources: [...byResource.values()].map((own) => ({ resource: own[0]!.mutant.resource, ...tallyOf(own) })),
    results,
  };
}

function tallyOf(results: readonly MutantResult[]): MutationTally {
  const count = (outcome: MutantOutcome): number => results.filter((result) => result.outcome === outcome).length;
  return {
    killed: count("killed"),
    survived: count("survived"),
    refused: count("refused"),
    notRun: count("not-run"),
    noEffect: count("no-effect"),
  };
}

/** The share of killed mutants in percent; undefined without any. */
export function mutationScore({ killed, survived }: Pick<MutationTally, "killed" | "survived">): number | undefined {
  return killed + survived === 0 ? undefined : (killed / (killed + survived)) * 100;
}

/** The changes that no case noticed. */
export function survivorsOf({ results }: MutationReport): readonly MutantResult[] {
  return results.filter(({ outcome }) => outcome === "survived");
}
