// Everything that can be found in a set of policies and bindings, in the order of the resources given.

import { pushAll } from "@celadon/base";
import { type GroupVersionResource, nameOf } from "@celadon/kube";
import type { ParamSource } from "../../hosts.ts";
import type { Binding, NamedRuleWithOperations, Policy } from "../../policy.ts";
import { answerOf } from "../type-check/answer-of.ts";
import { finding, type PolicyFinding } from "./finding.ts";
import { mutationFindings } from "./mutations.ts";
import { bindingNeverMatches, policyNeverMatches } from "./never-matches.ts";
import { danglingPolicyName, paramFindings, unboundPolicy, unknownParamKind } from "./params-and-names.ts";
import { expressionFindings } from "./policy-expressions.ts";

/** Policies of one family, and the bindings that may bind them. */
export interface PolicySetContents {
  readonly policies: readonly Policy[];
  readonly bindings: readonly Binding[];
}

/** Sources of information; findings that need an absent source are skipped. */
export interface FindingSources {
  readonly params?: ParamSource;
  /** Whether a server has the resource. */
  readonly hasResource?: (resource: GroupVersionResource) => boolean;
  /** Findings of a policy alone, kept for the next call. */
  readonly known?: WeakMap<Policy, readonly PolicyFinding[]>;
}

/** Problems of policies and bindings that an API server accepts: names that do not exist, rules that never match. */
export async function findProblems(set: PolicySetContents, sources: FindingSources = {}): Promise<PolicyFinding[]> {
  const { params, hasResource, known } = sources;
  const policies = new Map(set.policies.map((policy) => [nameOf(policy), policy]));
  const bound = new Set(set.bindings.map(({ spec }) => spec.policyName ?? ""));
  const found: PolicyFinding[] = [];
  for (const policy of set.policies) {
    if (!bound.has(nameOf(policy))) found.push(unboundPolicy(policy));
    if (params !== undefined) pushAll(found, (await answerOf(() => unknownParamKind(policy, params))) ?? []);
    if (hasResource !== undefined) pushAll(found, unknownResources(policy, hasResource));
    const own = known?.get(policy) ?? [...policyNeverMatches(policy), ...expressionFindings(policy)];
    known?.set(policy, own);
    pushAll(found, own);
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
  pushAll(found, mutationFindings(set.policies));
  return found;
}

function unknownResources(policy: Policy, has: (resource: GroupVersionResource) => boolean): PolicyFinding[] {
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
  `resource "${resource}" does not exist in ${group === "" ? version : `${group}/${version}`}`;

/** None if there is a wildcard: something will fit. */
function resourcesOf(
  { apiGroups = [], apiVersions = [] }: NamedRuleWithOperations,
  resource: string,
): GroupVersionResource[] {
  if ([resource, ...apiGroups, ...apiVersions].includes("*")) return [];
  return apiGroups.flatMap((group) => apiVersions.map((version) => ({ group, version, resource })));
}
