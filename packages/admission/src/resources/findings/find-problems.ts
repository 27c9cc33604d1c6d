// Everything that can be found in a set of policies and bindings, in the order of the resources given.

import { type GroupVersionResource, nameOf } from "@celadon/kube";
import type { ParamSource } from "../../hosts.ts";
import type {
  NamedRuleWithOperations,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "../../policy.ts";
import { answerOf } from "../answer-of.ts";
import { type Finding, finding } from "./finding.ts";
import { bindingNeverMatches, policyNeverMatches } from "./never-matches.ts";
import { danglingPolicyName, paramFindings, unboundPolicy, unknownParamKind } from "./params-and-names.ts";
import { expressionFindings } from "./policy-expressions.ts";

export interface PolicySetContents {
  readonly policies: readonly ValidatingAdmissionPolicy[];
  readonly bindings: readonly ValidatingAdmissionPolicyBinding[];
}

/** What is not given is not looked into. */
export interface FindingSources {
  readonly params?: ParamSource;
  /** Whether a server has the resource. */
  readonly hasResource?: (resource: GroupVersionResource) => boolean;
}

export async function findProblems(set: PolicySetContents, sources: FindingSources = {}): Promise<Finding[]> {
  const { params, hasResource } = sources;
  const policies = new Map(set.policies.map((policy) => [nameOf(policy), policy]));
  const bound = new Set(set.bindings.map(({ spec }) => spec.policyName ?? ""));
  const found: Finding[] = [];
  for (const policy of set.policies) {
    if (!bound.has(nameOf(policy))) found.push(unboundPolicy(policy));
    if (params !== undefined) found.push(...((await answerOf(() => unknownParamKind(policy, params))) ?? []));
    if (hasResource !== undefined) found.push(...unknownResources(policy, hasResource));
    found.push(...policyNeverMatches(policy), ...expressionFindings(policy));
  }
  for (const binding of set.bindings) {
    const policy = policies.get(binding.spec.policyName ?? "");
    if (policy === undefined) found.push(danglingPolicyName(binding));
    else
      found.push(
        ...bindingNeverMatches(binding, policy),
        ...((await answerOf(() => paramFindings(binding, policy, params))) ?? []),
      );
  }
  return found;
}

function unknownResources(
  policy: ValidatingAdmissionPolicy,
  has: (resource: GroupVersionResource) => boolean,
): Finding[] {
  const rules = policy.spec.matchConstraints?.resourceRules ?? [];
  return rules.flatMap((rule, i) =>
    (rule.resources ?? []).flatMap((pattern, j) => {
      const asked = resourcesOf(rule, pattern.split("/", 1)[0]!);
      if (asked.length === 0 || asked.some(has)) return [];
      const path = ["spec", "matchConstraints", "resourceRules", i, "resources", j];
      return [finding(policy, "unknown_resource", path, absent(asked[0]!), { severity: "note" })];
    }),
  );
}

const absent = ({ group, version, resource }: GroupVersionResource): string =>
  `there is no resource "${resource}" in ${group === "" ? version : `${group}/${version}`}`;

/** None when there is a wildcard: something will fit. */
function resourcesOf(
  { apiGroups = [], apiVersions = [] }: NamedRuleWithOperations,
  resource: string,
): GroupVersionResource[] {
  if ([resource, ...apiGroups, ...apiVersions].includes("*")) return [];
  return apiGroups.flatMap((group) => apiVersions.map((version) => ({ group, version, resource })));
}
