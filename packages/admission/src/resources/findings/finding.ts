// What can be said of a set of policies and bindings without a request. None of it is an error to the API server: it accepts
// all of these, and they do not do what they seem to.

import { nameOf } from "@celadon/kube";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../../policy.ts";

export type FindingCode =
  /** A binding names a policy that is not there. */
  | "dangling_policy_name"
  /** A policy no binding names does nothing. */
  | "policy_without_binding"
  | "unknown_param_kind"
  | "missing_param"
  /** A paramRef for a policy without params. */
  | "unused_param_ref"
  /** A policy with params bound without any. */
  | "no_param_ref"
  /** A paramRef that fails every request. */
  | "invalid_param_ref"
  | "binding_never_matches"
  | "policy_never_matches"
  | "unknown_resource"
  | "message_is_expression"
  | "ephemeral_containers_not_matched"
  | "object_read_on_delete";

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
