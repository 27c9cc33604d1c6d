// Small mutating policies for tests.

import { builtinMergeTypeOf, completeBuiltin } from "../memory/builtin-types.ts";
import { EVERYTHING } from "../policies.testing.ts";
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingAdmissionPolicySpec,
  Mutation,
} from "../policy.ts";
import type { MutatingPolicyResource } from "./compile.ts";
import type { MutatingHosts } from "./hosts.ts";

export const apply = (expression: string): Mutation => ({
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression },
});
export const json = (expression: string): Mutation => ({ patchType: "JSONPatch", jsonPatch: { expression } });

/** A policy and its binding, both of one name. */
export function mutating(
  name: string,
  mutations: readonly Mutation[],
  spec: Partial<MutatingAdmissionPolicySpec> = {},
): MutatingPolicyResource[] {
  const policy: MutatingAdmissionPolicy = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingAdmissionPolicy",
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [EVERYTHING] },
      reinvocationPolicy: "Never",
      failurePolicy: "Fail",
      mutations,
      ...spec,
    },
  };
  return [policy, mutatingBinding(name)];
}

export function mutatingBinding(
  name: string,
  spec: Partial<MutatingAdmissionPolicyBinding["spec"]> = {},
): MutatingAdmissionPolicyBinding {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, ...spec },
  };
}

export const BUILTIN: MutatingHosts = {
  mergeType: builtinMergeTypeOf,
  complete: (object, kind, reading) => completeBuiltin(object, kind, reading) ?? object,
};
