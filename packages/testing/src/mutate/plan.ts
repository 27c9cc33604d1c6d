// All mutants of some suites. A resource that several suites use is one: a mutant of it is killed when any of them fails.

import { identityOf } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { roleOf } from "@celadon/simulator/manifests";
import { Random, seedFor } from "../generate/random.ts";
import type { Suite } from "../suite/suite.ts";
import { type Aspects, MUTATED_ROLES, type Mutant, mutantsOf } from "./mutant.ts";

/** A change of one resource. */
export interface PlannedMutant extends Mutant {
  /** Names its resource; see `resourceKey`. */
  readonly key: string;
}

/** The changes that will be tried, and those left out. */
export interface MutationPlan {
  readonly mutants: readonly PlannedMutant[];
  /** Changes left out because they say the same as the original, or as another. */
  readonly same: number;
  /** Expressions of messages and annotations are left alone when no test looks at them. */
  readonly aspects: Aspects;
}

export function planMutants(suites: readonly Suite[]): MutationPlan {
  const aspects = aspectsOf(suites);
  const mutants: PlannedMutant[] = [];
  let same = 0;
  for (const [key, manifest] of resourcesOf(suites)) {
    const found = mutantsOf(manifest, aspects);
    same += found.same;
    for (const mutant of found.mutants) mutants.push({ ...mutant, key });
  }
  return { mutants, same, aspects };
}

function resourcesOf(suites: readonly Suite[]): ReadonlyMap<string, Manifest> {
  const found = new Map<string, Manifest>();
  for (const suite of suites) {
    for (const manifest of mutatedIn(suite)) {
      const key = resourceKey(manifest, suite);
      if (!found.has(key)) found.set(key, manifest);
    }
  }
  return found;
}

/** The resources of a suite that may be changed: its own resources and those of its cases. */
export function mutatedIn({ resources, cases }: Suite): readonly Manifest[] {
  const all = new Set([...resources, ...cases.flatMap((testCase) => testCase.resources)]);
  return [...all].filter(({ object }) => MUTATED_ROLES.includes(roleOf(object)));
}

/** The same key for the same text of the same file, independent of the reader. */
export function resourceKey({ object, origin }: Manifest, suite: Suite): string {
  const at = origin?.positionOf([]);
  return JSON.stringify([origin?.file ?? suite.name, at?.line, at?.column, identityOf(object)]);
}

function aspectsOf(suites: readonly Suite[]): Aspects {
  const expected = suites.flatMap(({ cases }) => cases.flatMap(({ expect }) => expect ?? []));
  return {
    messages: expected.some(
      ({ message, statusMessage, failures, warnings }) =>
        message !== undefined ||
        statusMessage !== undefined ||
        (typeof failures === "object" && failures.some((failure) => failure.message !== undefined)) ||
        typeof warnings === "object",
    ),
    annotations: expected.some(({ auditAnnotations }) => auditAnnotations !== undefined),
  };
}

/** The order in which mutants run: at random, so that a run that ends early has tried something of everything. */
export function orderOf(plan: MutationPlan, seed: number, sample: number = Infinity): readonly number[] {
  const random = new Random(seedFor(seed, "order"));
  const order = plan.mutants.map((_, i) => i);
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order.slice(0, sample);
}
