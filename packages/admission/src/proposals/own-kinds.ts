// Resources that hold policies and bindings: those of Kubernetes, which our own group has too, and those of our group alone.

/** Kinds as the engine knows them. */
export type PolicyKindName =
  | "ValidatingAdmissionPolicy"
  | "ValidatingAdmissionPolicyBinding"
  | "MutatingAdmissionPolicy"
  | "MutatingAdmissionPolicyBinding";

/** A resource that holds policies or bindings, and the kind the engine takes its objects for. */
export interface PolicyKindSource {
  readonly resource: string;
  /** The kind in the cluster's words. */
  readonly kind: string;
  readonly as: PolicyKindName;
  readonly namespaced: boolean;
  /** Only in the group of our own. */
  readonly ownOnly: boolean;
}

const source = (kind: PolicyKindName): PolicyKindSource => ({
  resource: kind.endsWith("Policy") ? `${kind.slice(0, -1).toLowerCase()}ies` : `${kind.toLowerCase()}s`,
  kind,
  as: kind,
  namespaced: false,
  ownOnly: false,
});

/** Kinds of policies and bindings, including those of our own group. */
export const POLICY_KINDS: readonly PolicyKindSource[] = [
  source("ValidatingAdmissionPolicy"),
  source("ValidatingAdmissionPolicyBinding"),
  // A kind is either in namespaces or not, so that bindings for tenants need one of their own.
  {
    resource: "namespacedvalidatingadmissionpolicybindings",
    kind: "NamespacedValidatingAdmissionPolicyBinding",
    as: "ValidatingAdmissionPolicyBinding",
    namespaced: true,
    ownOnly: true,
  },
  source("MutatingAdmissionPolicy"),
  source("MutatingAdmissionPolicyBinding"),
];
