// Policies that are never enforced because of a mistake, as `lint` reports it: in a rule's resources, in a selector, in the name that
// a binding has for its policy.

import type { SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import type { ShownPlace } from "../output/answer.ts";
import type { SourceNote } from "../sources/index.ts";

/** The mistake. */
export interface Ineffective {
  readonly kind: string;
  readonly policy: string;
  /** The manifest of the policy, or of its binding. */
  readonly manifest: Manifest;
  readonly code: string;
  /** The meaning of the code, for every mistake that has it. */
  readonly meaning: string;
  readonly message: string;
  readonly help?: string;
  readonly place?: ShownPlace;
}

/** Loads the linter. */
export async function ineffectiveIn(simulated: SimulatedCluster): Promise<readonly Ineffective[]> {
  const { ineffectivePolicies, LINT_CODES, problemPlace } = await import("@celadon/lint");
  return (await ineffectivePolicies(simulated)).map(({ kind, policy, problem }) => {
    const { code, manifest, message, help } = problem;
    const place = problemPlace(problem);
    const meaning = LINT_CODES.get(code)!.text;
    return { kind, policy, manifest, code, meaning, message, ...(help && { help }), ...(place && { place }) };
  });
}

/** Whether a new resource has a mistake. One in what exists is only worth a warning. */
export function isMistakeIn(written: ReadonlySet<Manifest>, ineffective: readonly Ineffective[]): boolean {
  return ineffective.some(({ manifest }) => written.has(manifest));
}

export function neverEnforcedText({ kind, policy }: Pick<Ineffective, "kind" | "policy">): string {
  return `${kind === "MutatingAdmissionPolicy" ? "mutating policy" : "policy"} ${policy} is never enforced`;
}

/** The same as notes, one for each mistake. */
export function ineffectiveNotes(ineffective: readonly Ineffective[]): SourceNote[] {
  return ineffective.map((mistake) => ({
    file: mistake.place?.file ?? "",
    ...(mistake.place && { line: mistake.place.line, column: mistake.place.column }),
    message: `${neverEnforcedText(mistake)}: ${mistake.message}`,
    ...(mistake.help && { hint: mistake.help }),
  }));
}
