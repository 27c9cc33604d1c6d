// A policy that lives in a namespace, and concerns that one only.

import type { MatchResources } from "@celadon/admission/policy";
import type { LabelSelectorObject } from "@celadon/kube/selectors";
import { fieldsAt, listAt } from "../foreign.ts";

export function inNamespaceOnly(match: MatchResources, namespace: string): MatchResources {
  const namespaceSelector = fieldsAt(match, "namespaceSelector") as LabelSelectorObject;
  const own = { key: "kubernetes.io/metadata.name", operator: "In", values: [namespace] } as const;
  const matchExpressions = [...listAt(namespaceSelector, "matchExpressions"), own] as NonNullable<
    LabelSelectorObject["matchExpressions"]
  >;
  return {
    ...match,
    namespaceSelector: { ...namespaceSelector, matchExpressions },
    // A selector of namespaces lets everything pass that is in none.
    ...(Array.isArray(match.resourceRules) && {
      resourceRules: match.resourceRules.map((rule) => ({ ...rule, scope: "Namespaced" as const })),
    }),
  };
}
