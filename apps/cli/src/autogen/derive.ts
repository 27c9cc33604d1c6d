// Pod policies among the inputs → the workload policies that follow from them, with what could not be derived and why.

import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@celadon/admission";
import {
  deriveWorkloadPolicies,
  type Note,
  type Skipped,
  WORKLOAD_KINDS,
  type WorkloadKind,
} from "@celadon/admission/autogen";
import { readPolicyResource, withBindingDefaults, withPolicyDefaults } from "@celadon/admission/resources";
import { nearestName } from "@celadon/kube";
import { type Manifest, roleOf } from "@celadon/simulator";
import type { Args, Option } from "../command.ts";
import { UsageError } from "../exit.ts";

export const AUTOGEN_TITLE = "derive policies for workloads from those for pods";

export const AUTOGEN: Option = { name: "autogen", help: `${AUTOGEN_TITLE}, as \`celadon autogen\` does` };

export const KINDS: Option = {
  name: "kinds",
  value: "KIND,…",
  help: `workloads to derive for: ${WORKLOAD_KINDS.join(", ")}`,
};

export interface DerivedManifests {
  readonly manifests: readonly Manifest[];
  readonly skipped: readonly Skipped[];
  readonly notes: readonly (Note & { readonly policy: string })[];
}

export function deriveFrom(manifests: readonly Manifest[], kinds?: readonly WorkloadKind[]): DerivedManifests {
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

export function kindsOf(args: Args): readonly WorkloadKind[] | undefined {
  const text = args.text("kinds");
  if (text === undefined) return undefined;
  return text.split(",").map((word) => {
    const found = WORKLOAD_KINDS.find((kind) => kind.toLowerCase() === word.trim().toLowerCase());
    if (found !== undefined) return found;
    const guess = nearestName(word.trim(), WORKLOAD_KINDS);
    throw new UsageError(
      `--kinds: unknown workload "${word.trim()}"${guess ? `; did you mean ${guess}?` : ""}`,
      KINDS.help,
    );
  });
}
