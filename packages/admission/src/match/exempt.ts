// Resources that policies never see, even if their rules match: reviews, which are not stored, and the policies themselves.

import type { GroupResource } from "@celadon/kube";

/** Never evaluated, by any policy. */
const REVIEWS = new Set([
  "authentication.k8s.io/selfsubjectreviews",
  "authentication.k8s.io/tokenreviews",
  "authorization.k8s.io/localsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectrulesreviews",
  "authorization.k8s.io/subjectaccessreviews",
]);

/** Evaluated only by policies that come from files of the server. */
const POLICIES = new Set([
  "admissionregistration.k8s.io/validatingadmissionpolicies",
  "admissionregistration.k8s.io/validatingadmissionpolicybindings",
  "admissionregistration.k8s.io/mutatingadmissionpolicies",
  "admissionregistration.k8s.io/mutatingadmissionpolicybindings",
]);

/** Names of policies that come from files. */
const STATIC_SUFFIX = ".static.k8s.io";

export type Exemption = "none" | "all" | "allButStatic";

export function exemptionOf({ group, resource }: GroupResource): Exemption {
  const key = `${group}/${resource}`;
  if (REVIEWS.has(key)) return "all";
  return POLICIES.has(key) ? "allButStatic" : "none";
}

export function isStatic(policyName: string): boolean {
  return policyName.endsWith(STATIC_SUFFIX);
}
