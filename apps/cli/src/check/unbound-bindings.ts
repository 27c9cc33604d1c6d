// Bindings whose policy is not among the policies: nothing is checked for them. The policy may be in the cluster, so this is a warning;
// where the name is like that of a policy, the misspelt name is reported instead.

import { memberOf } from "@celadon/base";
import { nameOf } from "@celadon/kube";
import type { SimulatedCluster } from "@celadon/simulator";
import { type Manifest, type Role, roleOf } from "@celadon/simulator/manifests";

export interface UnboundBinding {
  readonly manifest: Manifest;
  readonly policyName: string;
}

// biome-ignore format: one kind of binding per line
const POLICY_OF: Readonly<Partial<Record<Role, Role>>> = {
  binding:         "policy",
  mutatingBinding: "mutatingPolicy",
};

/** `reported` are bindings whose mistake is known. */
export function unboundBindings(
  simulated: SimulatedCluster,
  written: Iterable<Manifest>,
  reported: ReadonlySet<Manifest>,
): readonly UnboundBinding[] {
  const names = new Set(
    simulated.manifests("policy", "mutatingPolicy").map(({ object }) => `${roleOf(object)}/${nameOf(object)}`),
  );
  return [...written].flatMap((manifest) => {
    const role = POLICY_OF[roleOf(manifest.object)];
    const policyName = memberOf(manifest.object.spec, "policyName");
    if (role === undefined || typeof policyName !== "string" || reported.has(manifest)) return [];
    return names.has(`${role}/${policyName}`) ? [] : [{ manifest, policyName }];
  });
}
