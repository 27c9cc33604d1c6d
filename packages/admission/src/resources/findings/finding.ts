// Findings about policies and bindings that need no request. The API server accepts all of these resources, but they do not do what they
// seem to.

import { nameOf, type ObjectMeta } from "@celadon/kube";
import type { Binding, Policy } from "../../policy.ts";

/** A stable code of a finding, for programs. Stable. */
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
  | "object_read_on_delete"
  | "old_object_read_on_create"
  | "unguarded_key"
  | "unguarded_field"
  | "unused_variable"
  | "not_idempotent"
  | "order_dependent";

/** All codes with their descriptions. */
export const FINDING_CODES: Readonly<Record<FindingCode, string>> = {
  dangling_policy_name: "a binding names a policy that does not exist, so it has no effect",
  policy_without_binding: "no binding names the policy, so it has no effect",
  unknown_param_kind: "the param kind does not exist, so every matching request fails",
  missing_param: "the binding refers to params that do not exist",
  unused_param_ref: "the binding refers to params, but the policy has no paramKind",
  no_param_ref: "the policy has params, but the binding sets none, so they are null",
  invalid_param_ref: "the param reference is invalid, so every matching request fails",
  binding_never_matches: "no request can match both the policy and the binding",
  policy_never_matches: "no request can match the policy",
  unknown_resource: "a rule names a resource that does not exist",
  message_is_expression: "the message looks like an expression, but is shown as written",
  ephemeral_containers_not_matched:
    "the policy checks containers of pods, but not ephemeral containers that are added later",
  object_read_on_delete: "an expression reads `object` on DELETE, where it is null",
  old_object_read_on_create: "an expression reads `oldObject` on CREATE, where it is null",
  unguarded_key: "an expression reads a map key that objects may lack, which is an error",
  unguarded_field: "an expression reads a field that objects may lack, which is an error",
  unused_variable: "no expression uses the variable",
  not_idempotent: "a mutation appends every time it runs, but the API server may run it twice",
  order_dependent: "two mutating policies write the same field, but their order is not defined",
};

/** Something that is probably not meant, with its place. */
export interface PolicyFinding {
  readonly code: FindingCode;
  /** `warning`: it does not work as written. `note`: it may be intended. */
  readonly severity: "warning" | "note";
  readonly kind: FoundResource["kind"];
  readonly name: string;
  /** Steps to the field, to find its place in a file. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The other resource it is about. */
  readonly related?: { readonly kind: string; readonly name: string; readonly namespace?: string };
  /** The field, or the map and its key, that objects may lack. */
  readonly read?: { readonly field: string; readonly key?: string };
}

/** A resource that findings are about. */
export type FoundResource =
  | Policy
  | Binding
  | {
      readonly kind: "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration";
      readonly metadata: ObjectMeta;
    };

export function finding(
  resource: FoundResource,
  code: FindingCode,
  path: readonly (string | number)[],
  message: string,
  more: Partial<Pick<PolicyFinding, "severity" | "related" | "read">> = {},
): PolicyFinding {
  return { code, severity: "warning", kind: resource.kind, name: nameOf(resource), path, message, ...more };
}
