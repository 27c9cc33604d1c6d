// The kinds of policies under a group of our own, for clusters that lack them, and for fields that no cluster has. Evaluators treat them as
// the built-in kinds.

import { type KubeObject, nameOf } from "@celadon/kube";
import type { MatchResources, NamedRuleWithOperations } from "../policy.ts";

/** The group under which the kinds are installed if the cluster has none, and for fields that no cluster has. */
export const OWN_GROUP = "policies.celadon.dev";

const BUILTIN = "admissionregistration.k8s.io/v1";
/** A kind is either in namespaces or not, so that bindings for tenants need one of their own. */
const NAMESPACED = "NamespacedValidatingAdmissionPolicyBinding";

/** A policy or binding of our own group as a resource of the built-in kind; other objects are returned unchanged. */
export function asBuiltinKind(object: KubeObject): KubeObject {
  const { apiVersion, kind = "" } = object;
  if (apiVersion !== `${OWN_GROUP}/v1`) return object;
  if (kind === NAMESPACED)
    return confinedBinding({ ...object, apiVersion: BUILTIN, kind: "ValidatingAdmissionPolicyBinding" });
  return { ...object, apiVersion: BUILTIN };
}

/** A namespaced binding as a cluster-wide one that selects only objects of that namespace, without the Namespace itself. */
export function confinedBinding(object: KubeObject): KubeObject {
  const { namespace, ...metadata } = object.metadata ?? {};
  if (!namespace) return object;
  const spec = (object.spec ?? {}) as { readonly matchResources?: MatchResources; readonly paramRef?: object };
  const { namespaceSelector, resourceRules = [] } = spec.matchResources ?? {};
  const own = { key: "kubernetes.io/metadata.name", operator: "In", values: [namespace] };
  const matchResources = {
    ...spec.matchResources,
    namespaceSelector: {
      ...namespaceSelector,
      matchExpressions: [...(namespaceSelector?.matchExpressions ?? []), own],
    },
    resourceRules: (resourceRules.length === 0 ? [EVERYTHING] : resourceRules).map(namespaced),
  };
  return {
    ...object,
    metadata: { ...metadata, name: `${nameOf(object)}.${namespace}` },
    spec: { ...spec, matchResources },
  };
}

const EVERYTHING: NamedRuleWithOperations = {
  apiGroups: ["*"],
  apiVersions: ["*"],
  operations: ["*"],
  resources: ["*/*"],
};

/** A rule about cluster-scoped resources matches nothing here: no namespace contains them. */
function namespaced(rule: NamedRuleWithOperations): NamedRuleWithOperations {
  const resources = rule.scope === "Cluster" ? ["namespaces"] : rule.resources;
  return { ...rule, ...(resources && { resources }), scope: "Namespaced" };
}
