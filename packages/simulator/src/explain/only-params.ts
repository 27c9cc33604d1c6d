// The params object a policy was evaluated with, as it was written.

import type { KubeObject } from "@celadon/kube";
import type { Manifest } from "../manifest/manifest.ts";
import type { Outcome } from "../outcome/outcome.ts";
import type { SimulatedCluster } from "../simulated/simulated-cluster.ts";
import type { ExplainedPolicyKind } from "./explain.ts";

/** Kind and name: policies of different kinds may have the same name. */
export interface PolicyName {
  readonly kind: ExplainedPolicyKind;
  readonly policy: string;
}

/** The manifest of the params object, if the policy was evaluated with exactly one. */
export function onlyParams(
  simulated: SimulatedCluster,
  { kind, policy }: PolicyName,
  outcome: Outcome,
): Manifest | undefined {
  const used = new Set(
    kind === "MutatingAdmissionPolicy" ? mutatingParams(policy, outcome) : paramsOf(policy, outcome),
  );
  const [only] = used;
  if (used.size !== 1 || !only) return undefined;
  const object = simulated.objectOfParams(only);
  return simulated.manifests().find((manifest) => manifest.object === object);
}

function paramsOf(policy: string, { policies }: Outcome): readonly (KubeObject | null)[] {
  const outcome = policies.verdicts.policies.find((policyOutcome) => policyOutcome.policy.name === policy);
  if (outcome?.outcome !== "matched") return [];
  return outcome.bindings.flatMap((binding) => (binding.outcome === "evaluated" ? binding.params : []));
}

function mutatingParams(name: string, { mutated }: Outcome): readonly (KubeObject | null)[] {
  return mutated.passes.flatMap(({ policies }) =>
    policies.invocations.flatMap(({ policy, params }) => (policy.name === name ? [params] : [])),
  );
}
