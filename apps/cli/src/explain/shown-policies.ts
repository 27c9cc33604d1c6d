// The policies that `--policy` names: all unless it is given.

import { nearestName } from "@celadon/base";
import type { SimulatedCluster } from "@celadon/simulator";
import { UsageError } from "../program/exit.ts";

const SHOWN_POLICIES = 10;

export function shownPolicies(names: readonly string[], simulated: SimulatedCluster): ReadonlySet<string> | undefined {
  for (const name of names) {
    const known = [...simulated.policies.policies(), ...simulated.mutatingPolicies.policies()].map(
      (policy) => policy.name,
    );
    if (known.includes(name)) continue;
    const guess = nearestName(name, known);
    throw new UsageError(
      `no policy "${name}" in force${guess === undefined ? "" : `; did you mean "${guess}"?`}`,
      guess === undefined && known.length > 0
        ? `policies in force: ${known.slice(0, SHOWN_POLICIES).join(", ")}`
        : undefined,
    );
  }
  return names.length === 0 ? undefined : new Set(names);
}
