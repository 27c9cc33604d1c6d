// Manifests of policies, bindings, webhook configurations and definitions with the API server's reading of them.

import type { AcceptedSetUp, SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import type { PolicyManifests } from "./finding-problems.ts";

export type AcceptedManifest = readonly [Manifest, AcceptedSetUp];

export function acceptedManifests(manifests: readonly Manifest[], simulated: SimulatedCluster): AcceptedManifest[] {
  return manifests.flatMap((manifest): AcceptedManifest[] => {
    const accepted = simulated.accepted(manifest.object);
    return accepted === undefined ? [] : [[manifest, accepted]];
  });
}

/** Validating policies with their bindings, and mutating policies with theirs. */
export function policyFamilies(accepted: readonly AcceptedManifest[]): readonly PolicyManifests[] {
  const withRole = <R extends AcceptedSetUp["role"]>(role: R) =>
    accepted.flatMap(([manifest, setUp]) =>
      setUp.role === role ? [[manifest, setUp as Extract<AcceptedSetUp, { role: R }>] as const] : [],
    );
  return [
    { policies: withRole("policy"), bindings: withRole("binding") },
    { policies: withRole("mutatingPolicy"), bindings: withRole("mutatingBinding") },
  ];
}
