// Pod policies among manifests → the workload policies that follow from them, with what could not be derived and why.

import { deriveWorkloadPolicies, type Note, type Skipped, type WorkloadKind } from "@celadon/admission/autogen";
import { BINDING_KINDS, type Binding, type Policy } from "@celadon/admission/policy";
import { readWithDefaults } from "@celadon/admission/resources";
import { pushAll } from "@celadon/base";
import type { Manifest } from "./manifest.ts";
import { type Role, roleOf } from "./roles.ts";

/** Policies made for workloads, and the failures. */
export interface DerivedManifests {
  readonly manifests: readonly Manifest[];
  readonly skipped: readonly Skipped[];
  readonly notes: readonly (Note & { readonly policy: string })[];
}

/** Policies and bindings to put beside the manifests; these stay as they are. */
export function deriveWorkloads(manifests: readonly Manifest[], kinds?: readonly WorkloadKind[]): DerivedManifests {
  const bindings = manifests.flatMap(({ object }): Binding[] => {
    const kind = BINDINGS.get(roleOf(object));
    const binding = kind && readWithDefaults(kind, object).resource;
    return binding === undefined ? [] : [binding];
  });
  const derived: Manifest[] = [];
  const skipped: Skipped[] = [];
  const notes: (Note & { policy: string })[] = [];
  for (const { object, origin } of manifests) {
    const kind = POLICIES.get(roleOf(object));
    const policy = kind && readWithDefaults(kind, object).resource;
    if (policy === undefined) continue;
    const own = bindings.filter((binding) => binding.kind === BINDING_KINDS[policy.kind]);
    const result = deriveWorkloadPolicies<Policy, Binding>(policy, {
      bindings: own,
      ...(kinds && { kinds: [...kinds] }),
    });
    pushAll(skipped, result.skipped);
    for (const derivedPolicy of result.derived) {
      pushAll(
        notes,
        derivedPolicy.notes.map((note) => ({ ...note, policy: policy.metadata.name ?? "" })),
      );
      const made = [derivedPolicy.policy, ...derivedPolicy.bindings] as unknown as Manifest["object"][];
      // A derived policy is in no file; its problems point to the policy it comes from.
      pushAll(
        derived,
        made.map((each) => ({ object: each, ...(origin && { origin: startOnly(origin) }) })),
      );
    }
  }
  return { manifests: derived, skipped, notes };
}

const POLICIES: ReadonlyMap<Role, Policy["kind"]> = new Map([
  ["policy", "ValidatingAdmissionPolicy"],
  ["mutatingPolicy", "MutatingAdmissionPolicy"],
]);
const BINDINGS: ReadonlyMap<Role, Binding["kind"]> = new Map([
  ["binding", "ValidatingAdmissionPolicyBinding"],
  ["mutatingBinding", "MutatingAdmissionPolicyBinding"],
]);

function startOnly(origin: NonNullable<Manifest["origin"]>): NonNullable<Manifest["origin"]> {
  return {
    file: origin.file,
    positionOf: () => origin.positionOf([]),
    positionIn: () => undefined,
    lineText: (line) => origin.lineText(line),
  };
}
