// A policy of either kind, as fuzzing uses it: expressions to evaluate for one object.

import type { CompiledMutatingPolicy } from "@celadon/admission/mutating";
import type { Binding } from "@celadon/admission/policy";
import type { CompiledBinding, CompiledPolicy, Expression } from "@celadon/admission/steps";

export type FuzzedPolicy = CompiledPolicy | CompiledMutatingPolicy;
export type FuzzedBinding = CompiledBinding<Binding>;

export function isMutating(policy: FuzzedPolicy): policy is CompiledMutatingPolicy {
  return policy.policy.kind === "MutatingAdmissionPolicy";
}

/** Match conditions and validations or mutations; variables are separate. */
export function expressionsOf(policy: FuzzedPolicy): readonly Expression[] {
  if (isMutating(policy)) return [...policy.conditions, ...policy.mutations];
  const messages = policy.validations.flatMap(({ messageExpression }) => messageExpression ?? []);
  return [...policy.conditions, ...policy.validations, ...messages, ...policy.auditAnnotations];
}
