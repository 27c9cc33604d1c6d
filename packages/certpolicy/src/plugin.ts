// Approvers that a host provides. They are called for every policy and decide themselves whether it configures them.

import type { FieldError } from "@celadon/kube/errors";
import type { CertificateEvaluation } from "./evaluate/result.ts";
import type { CertificateRequest, CertificateRequestPolicy } from "./resource.ts";

/** An approver of the host. Errors are retried; throwing and rejecting count as errors. */
export interface Plugin {
  /** The key in `spec.plugins`. */
  readonly name: string;
  evaluate?(
    policy: CertificateRequestPolicy,
    request: CertificateRequest,
  ): CertificateEvaluation | Promise<CertificateEvaluation>;
  validate?(policy: CertificateRequestPolicy): PluginValidation | Promise<PluginValidation>;
  ready?(policy: CertificateRequestPolicy): Readiness | Promise<Readiness>;
}

/** A plugin's errors and warnings for a policy that is written. */
export type PluginValidation =
  | { readonly allowed: boolean; readonly errors?: readonly FieldError[]; readonly warnings?: readonly string[] }
  /** Ends the validation with this text alone. */
  | { readonly error: string };

/** Whether a policy is ready, according to its plugins. */
export type Readiness =
  | { readonly ready: boolean; readonly errors?: readonly FieldError[]; readonly requeueAfterSeconds?: number }
  | { readonly error: string };

/** Names of approvers that are always there; they are no plugins. */
export const BUILT_IN: readonly string[] = ["allowed", "constraints"];

/** Throws on a name that is taken: two approvers of one name are a mistake of the host. */
export function checkPluginNames(plugins: readonly Plugin[]): void {
  const names = new Set(BUILT_IN);
  for (const { name } of plugins) {
    if (names.has(name)) throw new Error(`approver already registered with same name: ${name}`);
    names.add(name);
  }
}
