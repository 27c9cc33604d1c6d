// A policy that lives in a namespace, and concerns that one only.

import type { MatchResources } from "@celadon/admission";

export function inNamespaceOnly(match: MatchResources, namespace: string): MatchResources {
  const { namespaceSelector = {} } = match;
  const own = { key: "kubernetes.io/metadata.name", operator: "In", values: [namespace] } as const;
  const matchExpressions = [...(namespaceSelector.matchExpressions ?? []), own];
  return {
    ...match,
    namespaceSelector: { ...namespaceSelector, matchExpressions },
    // A selector of namespaces lets everything pass that is in none.
    ...(match.resourceRules && {
      resourceRules: match.resourceRules.map((rule) => ({ ...rule, scope: "Namespaced" as const })),
    }),
  };
}
