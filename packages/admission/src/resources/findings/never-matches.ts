// Policies and bindings that no request can match.

import { nameOf } from "@celadon/kube";
import { exemptionOf, isStatic } from "../../match/exempt.ts";
import type { Binding, MatchResources, NamedRuleWithOperations, Policy } from "../../policy.ts";
import { finding, type PolicyFinding } from "./finding.ts";
import { canOverlap, covers } from "./rule-overlap.ts";
import { conflictingKey } from "./selector-conflict.ts";

export function policyNeverMatches(policy: Policy): PolicyFinding[] {
  const match = policy.spec.matchConstraints;
  if (match === undefined) return [];
  const at = ["spec", "matchConstraints"];
  const found = contradictions(match, at).map(({ path, message }) =>
    finding(policy, "policy_never_matches", path, message),
  );
  const rules = match.resourceRules ?? [];
  if (rules.length > 0 && rules.every((rule) => isExempt(rule, nameOf(policy)))) {
    const message = "policies never see requests for these resources";
    found.push(finding(policy, "policy_never_matches", [...at, "resourceRules"], message));
  } else if (rules.length > 0 && isExcluded(rules, match)) {
    const message = "excludeResourceRules exclude everything that resourceRules match";
    found.push(finding(policy, "policy_never_matches", [...at, "excludeResourceRules"], message));
  }
  return found;
}

export function bindingNeverMatches(binding: Binding, policy: Policy): PolicyFinding[] {
  const own = binding.spec.matchResources;
  const match = policy.spec.matchConstraints;
  if (own === undefined || match === undefined) return [];
  const at = ["spec", "matchResources"];
  const related = { kind: policy.kind, name: nameOf(policy) };
  const never = (path: readonly (string | number)[], message: string): PolicyFinding =>
    finding(binding, "binding_never_matches", path, message, { related });
  const found = contradictions(own, at).map(({ path, message }) => never(path, message));
  const rules = match.resourceRules ?? [];
  const ownRules = own.resourceRules ?? [];
  const exact = match.matchPolicy === "Exact" && own.matchPolicy === "Exact";
  if (ownRules.length > 0 && rules.length > 0 && !ownRules.some((a) => rules.some((b) => canOverlap(a, b, exact)))) {
    found.push(
      never([...at, "resourceRules"], `no request matches both these rules and those of policy "${nameOf(policy)}"`),
    );
  } else if (rules.length > 0 && isExcluded(rules, own)) {
    found.push(
      never([...at, "excludeResourceRules"], `these rules exclude everything that policy "${nameOf(policy)}" matches`),
    );
  }
  const key = conflictingKey(match.namespaceSelector, own.namespaceSelector);
  if (key !== undefined && found.length === 0 && onlyNamespaced(rules)) {
    const message = `no value of label "${key}" matches both this selector and that of policy "${nameOf(policy)}"`;
    found.push(never([...at, "namespaceSelector"], message));
  }
  return found;
}

/** Selectors that contradict themselves. A namespaceSelector does not apply to cluster-scoped objects. */
function contradictions(match: MatchResources, at: readonly string[]): { path: string[]; message: string }[] {
  const found: { path: string[]; message: string }[] = [];
  for (const name of ["namespaceSelector", "objectSelector"] as const) {
    if (name === "namespaceSelector" && !onlyNamespaced(match.resourceRules ?? [])) continue;
    const key = conflictingKey(match[name]);
    if (key !== undefined)
      found.push({ path: [...at, name], message: `the requirements for label "${key}" contradict each other` });
  }
  return found;
}

function onlyNamespaced(rules: readonly NamedRuleWithOperations[]): boolean {
  return rules.length > 0 && rules.every(({ scope }) => scope === "Namespaced");
}

function isExcluded(rules: readonly NamedRuleWithOperations[], { excludeResourceRules = [] }: MatchResources): boolean {
  return rules.every((rule) => excludeResourceRules.some((excluded) => covers(excluded, rule)));
}

function isExempt({ apiGroups = [], resources = [] }: NamedRuleWithOperations, policyName: string): boolean {
  return apiGroups.every((group) =>
    resources.every((pattern) => {
      const exemption = exemptionOf({ group, resource: pattern.split("/", 1)[0]! });
      return exemption === "all" || (exemption === "allButStatic" && !isStatic(policyName));
    }),
  );
}
