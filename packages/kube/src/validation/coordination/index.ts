// The coordination.k8s.io group: Leases.

import type { Lease, LeaseSpec } from "../../api/generated/coordination-v1.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import type { ValidatedField } from "../field.ts";
import { withField } from "../fields-of.ts";
import { type AnyKindRules, kindRules } from "../rules.ts";

const lease: AnyKindRules = kindRules<Lease>({
  kind: { group: "coordination.k8s.io", kind: "Lease" },
  resource: "leases",
  namespaced: true,
  unconditionalUpdate: false,
  prepareCreate: withoutStrategy,
  prepareUpdate: withoutStrategy,
  validate(object, at) {
    const scope = { namespaced: true, name: checkDns1123Subdomain, anyFinalizer: true };
    metadata(object.metadata, scope, at.child("metadata"));
    leaseSpec(object.spec ?? {}, at.child("spec"));
  },
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"), { anyFinalizer: true });
    leaseSpec(object.spec ?? {}, at.child("spec"));
  },
});

/** Coordinated elections are a feature that is off. */
function withoutStrategy(object: Lease): Lease {
  return withField(withField(object, ["spec", "strategy"], undefined), ["spec", "preferredHolder"], undefined);
}

function leaseSpec(spec: LeaseSpec, at: ValidatedField): void {
  const { leaseDurationSeconds: seconds, leaseTransitions: transitions } = spec;
  if (seconds !== undefined && seconds <= 0)
    at.child("leaseDurationSeconds").invalid(seconds, "must be greater than 0");
  if (transitions !== undefined) at.child("leaseTransitions").notNegative(transitions);
}

export const KINDS: readonly AnyKindRules[] = [lease];
