// Sets of validating policies.

import type { Minor } from "@celadon/kube-cel";
import { type CompiledPolicy, compilePolicy } from "../compile/compile.ts";
import { PolicyCompiler } from "../compile/policy-compiler.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../policy.ts";
import { singletonActions } from "../proposals/fields.ts";
import { type Gates, NO_GATES } from "../proposals/gates.ts";
import { type Change, type Entry, type Family, Snapshot } from "./snapshot.ts";

/** A validating policy or its binding. */
export type PolicyResource = ValidatingAdmissionPolicy | ValidatingAdmissionPolicyBinding;
/** A policy with its bindings, compiled. */
export type PolicyEntry = Entry<CompiledPolicy, ValidatingAdmissionPolicyBinding>;
/** A change of a set of policies. */
export type PolicyChange = Change<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding>;
/** Validating policies and bindings, compiled and indexed; immutable. */
export type PolicySet = Snapshot<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, CompiledPolicy>;

/** Options for compiling the policies of a set. */
export interface PolicySetOptions {
  /** Ideas of the proposals that are on, for this set and all made from it. */
  readonly gates?: Gates;
  /** The version of the API server whose libraries expressions have; the current one when absent. */
  readonly kubeVersion?: Minor;
  /** The compiler of policies, which keeps its results; one of the set's own when absent. */
  readonly compiler?: PolicyCompiler;
}

/** Throws a TypeError that names kind, name and field of a resource that is not of its type. */
export function createPolicySet(
  resources: Iterable<PolicyResource> = [],
  { gates = NO_GATES, kubeVersion, compiler = new PolicyCompiler() }: PolicySetOptions = {},
): PolicySet {
  const family: ValidatingFamily = {
    policyKind: "ValidatingAdmissionPolicy",
    compile: (policy, on) => compilePolicy(policy, on, kubeVersion, compiler),
    compiler,
    implied: impliedBinding,
  };
  return Snapshot.empty(family, gates).with({ put: resources });
}

type ValidatingFamily = Family<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, CompiledPolicy>;

// The implicit binding of a policy that needs none; it has no name.
function impliedBinding({ policy, name }: CompiledPolicy, gates: Gates): ValidatingAdmissionPolicyBinding | undefined {
  const validationActions = singletonActions(policy, gates);
  if (validationActions === undefined) return undefined;
  const { apiVersion } = policy;
  return {
    apiVersion,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: {},
    spec: { policyName: name, validationActions },
  };
}
