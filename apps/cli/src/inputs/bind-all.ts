// `--bind-all`: treats policies without a binding as bound to all requests, validating ones with Deny. For authors whose bindings are
// elsewhere.

import { memberOf } from "@celadon/base";
import { nameOf } from "@celadon/kube";
import { type Manifest, type Role, roleOf } from "@celadon/simulator/manifests";

interface Family {
  readonly policy: Role;
  readonly binding: Role;
  readonly kind: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

// biome-ignore format: one family per line
const FAMILIES: readonly Family[] = [
  { policy: "policy",         binding: "binding",         kind: "ValidatingAdmissionPolicyBinding", spec: { validationActions: ["Deny"] } },
  { policy: "mutatingPolicy", binding: "mutatingBinding", kind: "MutatingAdmissionPolicyBinding",   spec: {} },
];

export function impliedBindings(manifests: readonly Manifest[]): Manifest[] {
  return FAMILIES.flatMap(({ policy, binding, kind, spec }) => {
    const named = (role: Role): Manifest[] => manifests.filter(({ object }) => roleOf(object) === role);
    const bound = new Set(named(binding).map(({ object }) => memberOf(object.spec, "policyName")));
    return named(policy).flatMap(({ object }): Manifest[] => {
      const name = nameOf(object);
      if (bound.has(name)) return [];
      const apiVersion = "admissionregistration.k8s.io/v1";
      return [{ object: { apiVersion, kind, metadata: { name }, spec: { policyName: name, ...spec } } }];
    });
  });
}
