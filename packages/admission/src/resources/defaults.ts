// What the API server fills in. Only what is absent is filled: an empty text stays and fails validation.

import type {
  MatchResources,
  NamedRuleWithOperations,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "../policy.ts";

export function withPolicyDefaults(policy: ValidatingAdmissionPolicy): ValidatingAdmissionPolicy {
  const { spec } = policy;
  const { matchConstraints } = spec;
  return {
    ...policy,
    spec: {
      ...spec,
      failurePolicy: spec.failurePolicy ?? "Fail",
      ...(matchConstraints && { matchConstraints: withMatchDefaults(matchConstraints) }),
    },
  };
}

export function withBindingDefaults(binding: ValidatingAdmissionPolicyBinding): ValidatingAdmissionPolicyBinding {
  const { matchResources } = binding.spec;
  if (matchResources === undefined) return binding;
  return { ...binding, spec: { ...binding.spec, matchResources: withMatchDefaults(matchResources) } };
}

/** For a policy's matchConstraints and a binding's matchResources. */
export function withMatchDefaults(resources: MatchResources): MatchResources {
  const { resourceRules, excludeResourceRules } = resources;
  return {
    ...resources,
    matchPolicy: resources.matchPolicy ?? "Equivalent",
    namespaceSelector: resources.namespaceSelector ?? {},
    objectSelector: resources.objectSelector ?? {},
    ...(resourceRules && { resourceRules: resourceRules.map(withScope) }),
    ...(excludeResourceRules && { excludeResourceRules: excludeResourceRules.map(withScope) }),
  };
}

function withScope(rule: NamedRuleWithOperations): NamedRuleWithOperations {
  return rule.scope === undefined ? { ...rule, scope: "*" } : rule;
}
