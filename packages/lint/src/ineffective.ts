// Policies that no request can reach because of a mistake: lint reports an error, and a command that evaluates the policy would only
// report that it matched nothing.

import { nearestName, pushAll } from "@celadon/base";
import { nameOf } from "@celadon/kube";
import type { SimulatedCluster } from "@celadon/simulator";
import { acceptedManifests, policyFamilies } from "./checks/accepted-manifests.ts";
import { findingProblems, type PolicyManifests } from "./checks/finding-problems.ts";
import { ignoredBy } from "./ignore.ts";
import type { LintCode } from "./lint-code.ts";
import type { LintProblem } from "./problem.ts";

/** A policy that is never enforced, and the mistake that is the cause. */
export interface IneffectivePolicy {
  readonly kind: string;
  readonly policy: string;
  readonly problem: LintProblem;
}

const CAUSES: ReadonlySet<LintCode> = new Set([
  "policy_never_matches",
  "binding_never_matches",
  "unknown_resource",
  "dangling_policy_name",
]);

/** The policies of a simulated cluster that are never enforced. Resources that the API server rejects are not among them. */
export async function ineffectivePolicies(simulated: SimulatedCluster): Promise<readonly IneffectivePolicy[]> {
  const manifests = simulated.manifests("policy", "binding", "mutatingPolicy", "mutatingBinding");
  const accepted = acceptedManifests(manifests, simulated).filter(([, { status }]) => status === undefined);
  const found: IneffectivePolicy[] = [];
  for (const family of policyFamilies(accepted)) {
    const problems = (await findingProblems(family, simulated)).filter(
      ({ code, level, manifest }) => level === "error" && CAUSES.has(code) && !ignoredBy(manifest).codes.has(code),
    );
    pushAll(found, inFamily(family, problems));
  }
  return found;
}

function inFamily({ policies, bindings }: PolicyManifests, problems: readonly LintProblem[]): IneffectivePolicy[] {
  const names = policies.map(([{ object }]) => nameOf(object));
  const wrong = new Set(problems.map(({ manifest }) => manifest));
  // A binding that names no policy counts for the policy with the most similar name.
  const bound = bindings.map(([manifest, { resource }]) => {
    const { policyName = "" } = resource?.spec ?? {};
    return { manifest, policy: names.includes(policyName) ? policyName : nearestName(policyName, names) };
  });
  return policies.flatMap(([manifest, { resource }]): IneffectivePolicy[] => {
    const policy = nameOf(manifest.object);
    const its = bound.filter((binding) => binding.policy === policy);
    const causes = [
      manifest,
      ...(its.every((binding) => wrong.has(binding.manifest)) ? its : []).map((b) => b.manifest),
    ];
    const kind = resource?.kind ?? "";
    return problems.flatMap((problem) => (causes.includes(problem.manifest) ? [{ kind, policy, problem }] : []));
  });
}
