// Policies for workloads, where the tool derives them from a policy for pods. Kyverno rewrites text; here the tree is rewritten, and parts
// without a rewriting are reported.

import { deriveWorkloadPolicies, WORKLOAD_KINDS, type WorkloadKind } from "@celadon/admission/autogen";
import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import type { ConversionProblem, ConvertedPolicy, PolicyConversion } from "./converted.ts";

/** The kinds Kyverno knows to have pods. */
const CONTROLLERS: readonly WorkloadKind[] = WORKLOAD_KINDS.filter((kind) => kind !== "PodTemplate");

/** `controllers`: as the policy names them, undefined for all, empty for none. The policy itself comes first. */
export function withAutogen(made: ConvertedPolicy, controllers: readonly string[] | undefined): PolicyConversion {
  const kinds = CONTROLLERS.filter((kind) => controllers === undefined || namesKind(controllers, kind));
  if (kinds.length === 0 || !isForPods(made.policy)) return { policies: [made], problems: [] };
  const { derived, skipped } = deriveWorkloadPolicies(made.policy, { kinds, bindings: made.bindings });
  const policies = derived.map(
    ({ policy, bindings, notes }): ConvertedPolicy => ({
      ...made,
      policy,
      bindings,
      derived: true,
      notes: notes.map(({ message }) => message),
    }),
  );
  const problems = skipped.map(
    ({ kinds: of, message }): ConversionProblem => ({
      code: "not_derived",
      source: made.source,
      message: `not derived for ${of.join(", ")}: ${message}`,
      path: made.path,
      kinds: of,
    }),
  );
  return { policies: [made, ...policies], problems };
}

/** `deployments`, `Deployment`. */
function namesKind(controllers: readonly string[], kind: WorkloadKind): boolean {
  const plain = kind.toLowerCase();
  return controllers.some(
    (controller) => controller.toLowerCase() === plain || controller.toLowerCase() === `${plain}s`,
  );
}

function isForPods({ spec }: ValidatingAdmissionPolicy): boolean {
  const rules = spec.matchConstraints?.resourceRules ?? [];
  return rules.length > 0 && rules.every(({ resources = [] }) => resources.length === 1 && resources[0] === "pods");
}
