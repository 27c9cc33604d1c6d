// Finds the place in the object at which each failed validation was decided. Its expressions are interpreted once more for it: many times
// what deciding costs.

import { explain } from "@celadon/admission";
import type { DataPath } from "@celadon/cel/explain";
import { blameOf } from "./blame.ts";
import type { Outcome, Problem } from "./outcome.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";
import { variableTrees } from "./variable-places.ts";

/** A validation of a policy failed. */
export function isValidation({ system, by }: Problem): boolean {
  return system === "policy" && by?.path?.[1] === "validations";
}

/** Finds the place at which each failed validation was decided. */
export async function blameFor(
  simulated: SimulatedCluster,
  { request, problems }: Outcome,
): Promise<ReadonlyMap<Problem, DataPath>> {
  const wanted = problems.filter(isValidation);
  const names = new Set(wanted.map(({ by }) => by?.name));
  const entries = simulated.policies.entries().filter(({ policy }) => names.has(policy.name));
  const { expressions } = await explain(request, entries, simulated.hosts);
  const blame = new Map<Problem, DataPath>();
  for (const problem of wanted) {
    const index = problem.by?.path?.[2];
    const ofPolicy = expressions.filter(({ policy }) => policy === problem.by?.name);
    const at = ofPolicy.findIndex(
      (expression) => expression.kind === "validation" && expression.index === index && expression.value !== true,
    );
    const failed = ofPolicy[at];
    const path = failed && blameOf(failed.tree, variableTrees(ofPolicy.slice(0, at + 1)));
    if (path !== undefined) blame.set(problem, path);
  }
  return blame;
}
