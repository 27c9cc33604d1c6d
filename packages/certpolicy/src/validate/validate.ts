// The webhook's answer to a policy that is created or updated: every error, in the order and with the words of approver-policy
// pkg/internal/webhook/validator.go.

import { compareStrings, pushAll, thrownText } from "@celadon/base";
import {
  type FieldError,
  fieldErrorText,
  fieldPath,
  Invalid,
  invalidValue,
  notSupported,
  requiredValue,
} from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";
import { aggregate } from "../evaluate/result.ts";
import { checkPluginNames, type Plugin, type PluginValidation } from "../plugin.ts";
import type { CertificatePolicySpec, CertificateRequestPolicy } from "../resource.ts";
import { RuleCache } from "../rules/cache.ts";
import { validateAllowed } from "./allowed.ts";
import { validateConstraints } from "./constraints.ts";
import { policyShapeErrors } from "./shape.ts";

/** Errors and warnings of a policy. */
export interface CertificatePolicyValidation {
  readonly allowed: boolean;
  /** Errors of fields; a plugin's own failure has none. */
  readonly errors: readonly FieldError[];
  /** All errors in one text; empty when allowed. */
  readonly message: string;
  readonly warnings: readonly string[];
}

/** Options for validating a policy. */
export interface ValidateCertificatePolicyOptions {
  readonly plugins?: readonly Plugin[];
  /** Shared with evaluation, so that a rule is compiled once. */
  readonly rules?: RuleCache;
}

/** Errors of a policy; of plugins only their names are checked. */
export function policyErrors(
  policy: CertificateRequestPolicy,
  options: ValidateCertificatePolicyOptions = {},
): FieldError[] {
  // The API server refuses these by schema; no webhook sees such a policy.
  const malformed = policyShapeErrors(policy);
  if (malformed.length > 0) return malformed;
  const { spec } = policy;
  const rules = options.rules ?? new RuleCache();
  return [
    ...checkPlugins(spec, options.plugins ?? []),
    ...checkSelector(spec),
    ...validateAllowed(spec.allowed, rules),
    ...validateConstraints(spec.constraints),
  ];
}

/** The webhook's answer to a create or an update; the old policy does not matter, and deleting is always allowed. */
export async function validatePolicy(
  policy: CertificateRequestPolicy,
  options: ValidateCertificatePolicyOptions = {},
): Promise<CertificatePolicyValidation> {
  const plugins = options.plugins ?? [];
  checkPluginNames(plugins);
  const errors = policyErrors(policy, options);
  if (policyShapeErrors(policy).length > 0) {
    return { allowed: false, errors, message: aggregate(errors.map(fieldErrorText)), warnings: [] };
  }
  const warnings: string[] = [];
  let refused = false;
  for (const plugin of plugins) {
    const answer = await ask(plugin, policy);
    if (answer === undefined) continue;
    if ("error" in answer) return { allowed: false, errors: [], message: answer.error, warnings: [] };
    pushAll(warnings, answer.warnings ?? []);
    // Errors of a plugin that allows the policy are dropped.
    if (answer.allowed) continue;
    refused = true;
    pushAll(errors, answer.errors ?? []);
  }
  if (errors.length > 0) {
    return { allowed: false, errors, message: aggregate(errors.map(fieldErrorText)), warnings };
  }
  const message = refused ? "a plugin did not allow the CertificateRequest for unknown reasons" : "";
  return { allowed: !refused, errors, message, warnings };
}

async function ask(plugin: Plugin, policy: CertificateRequestPolicy): Promise<PluginValidation | undefined> {
  try {
    return await plugin.validate?.(policy);
  } catch (error) {
    return { error: thrownText(error) };
  }
}

function checkPlugins(spec: CertificatePolicySpec, plugins: readonly Plugin[]): FieldError[] {
  const known = plugins.map(({ name }) => name);
  return Object.keys(spec.plugins ?? {})
    .filter((name) => !known.includes(name))
    .sort(compareStrings)
    .map((name) => notSupported(fieldPath("spec", "plugins"), name, known));
}

function checkSelector({ selector }: CertificatePolicySpec): FieldError[] {
  const path = fieldPath("spec", "selector");
  const errors: FieldError[] = [];
  const namespace = selector?.namespace ?? undefined;
  if ((selector?.issuerRef ?? undefined) === undefined && namespace === undefined) {
    const hint = "one of issuerRef or namespace must be defined, hint: `{}` on either matches everything";
    errors.push(requiredValue(path, hint));
  }
  const labels = namespace?.matchLabels;
  const problem = labels ? toLabelSelector({ matchLabels: labels }) : undefined;
  if (problem instanceof Invalid) {
    errors.push(invalidValue(path.child("namespace", "matchLabels"), labels, problem.message));
  }
  return errors;
}
