// Role-based access control over plain data, as far as tests need it.

import type { Attributes, AuthorizerDecision, ExpressionAuthorizer } from "@celadon/kube-cel";

export interface Rbac {
  readonly clusterRoles?: Readonly<Record<string, readonly PolicyRule[]>>;
  readonly roles?: Readonly<Record<string, Readonly<Record<string, readonly PolicyRule[]>>>>;
  readonly clusterRoleBindings?: readonly Binding[];
  readonly roleBindings?: readonly (Binding & { readonly namespace: string })[];
}

interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface Binding {
  /** The kind of the role. */
  readonly roleKind?: string;
  readonly roleRef: string;
  readonly subjects: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];
}

export function memoryAuthorizer(rbac: Rbac): ExpressionAuthorizer {
  return {
    authorize(attributes): AuthorizerDecision {
      const rules = [
        ...(rbac.clusterRoleBindings ?? [])
          .filter((clusterRoleBinding) => isSubject(clusterRoleBinding, attributes))
          .flatMap((clusterRoleBinding) => rulesOf(clusterRoleBinding, "")),
        ...(rbac.roleBindings ?? [])
          .filter((roleBinding) => roleBinding.namespace === attributes.namespace && isSubject(roleBinding, attributes))
          .flatMap((roleBinding) => rulesOf(roleBinding, roleBinding.namespace)),
      ];
      return { decision: rules.some((rule) => allows(rule, attributes)) ? "allow" : "noOpinion" };
    },
  };

  function rulesOf({ roleKind, roleRef }: Binding, namespace: string): readonly PolicyRule[] {
    return (
      (namespace === "" || roleKind === "ClusterRole"
        ? rbac.clusterRoles?.[roleRef]
        : rbac.roles?.[namespace]?.[roleRef]) ?? []
    );
  }
}

function isSubject({ subjects }: Binding, { user }: Attributes): boolean {
  return subjects.some(({ kind, name, namespace }) =>
    kind === "Group"
      ? (user.groups ?? []).includes(name)
      : user.name === (kind === "ServiceAccount" ? `system:serviceaccount:${namespace}:${name}` : name),
  );
}

function allows(rule: PolicyRule, { apiGroup = "", resource = "", verb, name = "" }: Attributes): boolean {
  const has = (list: readonly string[], item: string): boolean => list.includes("*") || list.includes(item);
  const named = rule.resourceNames ?? [];
  return (
    has(rule.apiGroups, apiGroup) &&
    has(rule.resources, resource) &&
    has(rule.verbs, verb) &&
    (named.length === 0 || named.includes(name))
  );
}
