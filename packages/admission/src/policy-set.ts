// Sets of validating policies.

import type { Minor } from "@celadon/kube-cel";
import { type CompiledPolicy, compilePolicy } from "./compile.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "./policy.ts";
import { singletonActions } from "./proposals/fields.ts";
import { type Gates, NO_GATES } from "./proposals/gates.ts";
import { type Change, type Entry, type Family, Snapshot } from "./snapshot.ts";

export type PolicyResource = ValidatingAdmissionPolicy | ValidatingAdmissionPolicyBinding;
export type PolicyEntry = Entry<CompiledPolicy, ValidatingAdmissionPolicyBinding>;
export type PolicyChange = Change<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding>;
export type PolicySet = Snapshot<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, CompiledPolicy>;

export interface PolicySetOptions {
  /** Ideas of the proposals that are on, for this set and all made from it. */
  readonly gates?: Gates;
  /** The minor of the API server whose libraries expressions have; the current one when absent. */
  readonly kubeVersion?: Minor;
}

/** Throws a TypeError that names kind, name and field of a resource that is not of its type. */
export function createPolicySet(
  resources: Iterable<PolicyResource> = [],
  { gates = NO_GATES, kubeVersion }: PolicySetOptions = {},
): PolicySet {
  const family: ValidatingFamily = {
    policyKind: "ValidatingAdmissionPolicy",
    compile: (policy, on) => compilePolicy(policy, on, kubeVersion),
    implied: impliedBinding,
  };
  return Snapshot.empty(family, gates).with({ put: resources });
}

type ValidatingFamily = Family<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, CompiledPolicy>;

// The binding of a policy that needs none: without a name, since nobody wrote it.
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
