// Pod policies among manifests → the workload policies that follow from them, with what could not be derived and why.

import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@celadon/admission";
import { deriveWorkloadPolicies, type Note, type Skipped, type WorkloadKind } from "@celadon/admission/autogen";
import { readPolicyResource, withBindingDefaults, withPolicyDefaults } from "@celadon/admission/resources";
import type { Manifest } from "./manifest.ts";
import { roleOf } from "./roles.ts";

export interface DerivedManifests {
  readonly manifests: readonly Manifest[];
  readonly skipped: readonly Skipped[];
  readonly notes: readonly (Note & { readonly policy: string })[];
}

/** Policies and bindings to put beside the manifests; these stay as they are. */
export function deriveWorkloads(manifests: readonly Manifest[], kinds?: readonly WorkloadKind[]): DerivedManifests {
  const bindings = manifests.flatMap(({ object }): ValidatingAdmissionPolicyBinding[] => {
    if (roleOf(object) !== "binding") return [];
    const { resource } = readPolicyResource(object, "ValidatingAdmissionPolicyBinding");
    return resource === undefined ? [] : [withBindingDefaults(resource)];
  });
  const derived: Manifest[] = [];
  const skipped: Skipped[] = [];
  const notes: (Note & { policy: string })[] = [];
  for (const { object, origin } of manifests) {
    if (roleOf(object) !== "policy") continue;
    const { resource } = readPolicyResource(object, "ValidatingAdmissionPolicy");
    if (resource === undefined) continue;
    const policy: ValidatingAdmissionPolicy = withPolicyDefaults(resource);
    const result = deriveWorkloadPolicies(policy, { bindings, ...(kinds && { kinds: [...kinds] }) });
    skipped.push(...result.skipped);
    for (const one of result.derived) {
      notes.push(...one.notes.map((note) => ({ ...note, policy: policy.metadata.name ?? "" })));
      const made = [one.policy, ...one.bindings] as unknown as Manifest["object"][];
      // Derived text stands in no file; what is said of it points to the policy it comes from.
      derived.push(...made.map((each) => ({ object: each, ...(origin && { origin: startOnly(origin) }) })));
    }
  }
  return { manifests: derived, skipped, notes };
}

function startOnly(origin: NonNullable<Manifest["origin"]>): NonNullable<Manifest["origin"]> {
  return {
    file: origin.file,
    positionOf: () => origin.positionOf([]),
    positionIn: () => undefined,
    lineText: (line) => origin.lineText(line),
  };
}
