// Mutating policies compiled: the part all policies share, and an expression per mutation.

import { listOf, type Type } from "@celadon/cel";
import { JSON_PATCH, type Minor, OBJECT } from "@celadon/kube-cel";
import { type CompiledRules, compileRules, compileText, type Expression } from "../compile/compile.ts";
import { PolicyCompiler } from "../compile/policy-compiler.ts";
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, Mutation, PatchType } from "../policy.ts";
import { type Gates, NO_GATES } from "../proposals/gates.ts";
import type { PolicySetOptions } from "../set/policy-set.ts";
import { type Change, type Entry, type Family, Snapshot } from "../set/snapshot.ts";

export interface CompiledMutation extends Expression {
  readonly mutation: Mutation;
  readonly patchType: PatchType;
}

/** A mutating policy, compiled. */
export interface CompiledMutatingPolicy extends CompiledRules {
  readonly policy: MutatingAdmissionPolicy;
  readonly mutations: readonly CompiledMutation[];
}

/** The types that an expression may have, by the type of its patch. */
export const MUTATION_TYPES: Readonly<Record<PatchType, readonly Type[]>> = {
  ApplyConfiguration: [OBJECT],
  JSONPatch: [listOf(JSON_PATCH)],
};

/** Compiles a mutating policy. A mutation that does not compile fails when it is evaluated, as in the API server. */
export function compileMutatingPolicy(
  policy: MutatingAdmissionPolicy,
  gates: Gates = NO_GATES,
  kubeVersion?: Minor,
  compiler: PolicyCompiler = new PolicyCompiler(),
): CompiledMutatingPolicy {
  const { rules, types, declared } = compileRules(policy, compiler, gates, kubeVersion);
  const patching = { ...declared, patches: true };
  const mutations = (policy.spec.mutations ?? []).flatMap((mutation): CompiledMutation[] => {
    const text = mutationExpression(mutation);
    if (text === undefined) return [];
    const patchType = mutation.patchType as PatchType;
    return [{ ...compileText(compiler, text, patching, types, MUTATION_TYPES[patchType]), mutation, patchType }];
  });
  return { ...rules, policy, mutations };
}

/** The expression of a mutation's patch; undefined if it has none of its type. */
export function mutationExpression({ patchType, applyConfiguration, jsonPatch }: Mutation): string | undefined {
  switch (patchType) {
    case "ApplyConfiguration":
      return applyConfiguration && (applyConfiguration.expression ?? "");
    case "JSONPatch":
      return jsonPatch && (jsonPatch.expression ?? "");
    default:
      return undefined;
  }
}

/** A mutating policy or its binding. */
export type MutatingPolicyResource = MutatingAdmissionPolicy | MutatingAdmissionPolicyBinding;
/** A compiled mutating policy with its bindings. */
export type MutatingPolicyEntry = Entry<CompiledMutatingPolicy, MutatingAdmissionPolicyBinding>;
/** A change of a set of mutating policies. */
export type MutatingPolicyChange = Change<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding>;
/** Mutating policies and bindings, compiled and indexed; immutable. */
export type MutatingPolicySet = Snapshot<
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  CompiledMutatingPolicy
>;

/** Throws a TypeError that names kind, name and field of a resource that is not of its type. */
export function createMutatingPolicySet(
  resources: Iterable<MutatingPolicyResource> = [],
  { gates = NO_GATES, kubeVersion, compiler = new PolicyCompiler() }: PolicySetOptions = {},
): MutatingPolicySet {
  const family: Family<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, CompiledMutatingPolicy> = {
    policyKind: "MutatingAdmissionPolicy",
    compile: (policy, on) => compileMutatingPolicy(policy, on, kubeVersion, compiler),
    compiler,
  };
  return Snapshot.empty(family, gates).with({ put: resources });
}
