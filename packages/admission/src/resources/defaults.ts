// The defaults of the API server. Only absent fields are filled: an empty text stays and fails validation.

import type { Binding, BindingSpec, MatchResources, NamedRuleWithOperations, Policy, PolicySpec } from "../policy.ts";

/** A policy with the API server's defaults. */
export function withPolicyDefaults<P extends Policy>(policy: P): P {
  const spec: PolicySpec = policy.spec;
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

/** A binding with the API server's defaults. */
export function withBindingDefaults<B extends Binding>(binding: B): B {
  const { matchResources }: BindingSpec = binding.spec;
  if (matchResources === undefined) return binding;
  return { ...binding, spec: { ...binding.spec, matchResources: withMatchDefaults(matchResources) } };
}

/** A policy or binding with the API server's defaults. */
export function withResourceDefaults<R extends Policy | Binding>(resource: R): R {
  return (isBinding(resource) ? withBindingDefaults(resource) : withPolicyDefaults(resource as Policy)) as R;
}

function isBinding(resource: Policy | Binding): resource is Binding {
  return resource.kind === "ValidatingAdmissionPolicyBinding" || resource.kind === "MutatingAdmissionPolicyBinding";
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
