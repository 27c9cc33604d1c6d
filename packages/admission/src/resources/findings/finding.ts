// What can be said of a set of policies and bindings without a request. None of it is an error to the API server: it accepts
// all of these, and they do not do what they seem to.

import { nameOf } from "@celadon/kube";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../../policy.ts";

export type FindingCode =
  | "dangling_policy_name"
  | "policy_without_binding"
  | "unknown_param_kind"
  | "missing_param"
  | "unused_param_ref"
  | "no_param_ref"
  | "invalid_param_ref"
  | "binding_never_matches"
  | "policy_never_matches"
  | "unknown_resource"
  | "message_is_expression"
  | "ephemeral_containers_not_matched"
  | "object_read_on_delete";

/** Every code, with what it says. */
export const FINDING_CODES: Readonly<Record<FindingCode, string>> = {
  dangling_policy_name: "a binding names a policy that is not there, and does nothing",
  policy_without_binding: "no binding names the policy, and it does nothing",
  unknown_param_kind: "there is no such kind: every request the policy matches fails",
  missing_param: "the binding refers to params that are not there",
  unused_param_ref: "the binding refers to params, and the policy has none",
  no_param_ref: "the policy has params, and the binding gives none: they are null",
  invalid_param_ref: "the reference fails every request, whatever objects there are",
  binding_never_matches: "no request can match the policy and the binding",
  policy_never_matches: "no request can match the policy",
  unknown_resource: "a rule names a resource that is not there",
  message_is_expression: "the message looks like an expression, and is shown as it is written",
  ephemeral_containers_not_matched: "the policy looks at containers of pods, and not at those added later",
  object_read_on_delete: "an expression reads `object` on DELETE, where it is null",
};

export interface Finding {
  readonly code: FindingCode;
  /** `warning`: it does not work as written. `note`: it may be meant. */
  readonly severity: "warning" | "note";
  readonly kind: PolicyResource["kind"];
  readonly name: string;
  /** Steps to the field, for whoever knows where it was written. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The other resource it is about. */
  readonly related?: { readonly kind: string; readonly name: string; readonly namespace?: string };
}

export type PolicyResource = ValidatingAdmissionPolicy | ValidatingAdmissionPolicyBinding;

export function finding(
  resource: PolicyResource,
  code: FindingCode,
  path: readonly (string | number)[],
  message: string,
  more: Partial<Pick<Finding, "severity" | "related">> = {},
): Finding {
  return { code, severity: "warning", kind: resource.kind, name: nameOf(resource), path, message, ...more };
}
