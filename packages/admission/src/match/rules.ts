// Resource rules: does one rule of a policy, binding or webhook hit a request? Scope, operation, group, version and resource
// must all hit, then the name. Upstream: apiserver pkg/admission/plugin/webhook/predicates/rules, policy/matching.

import type { GroupVersionResource } from "@celadon/kube";
import type { NamedRuleWithOperations } from "../policy.ts";
import type { AdmissionRequest } from "../request.ts";

/** The part of a rule that does not match; the first part in the order upstream looks. */
export type RulePart = "scope" | "operations" | "apiGroups" | "apiVersions" | "resources" | "resourceNames";

/** The first part of a rule that excludes the request; undefined if the rule matches. The resource may be an equivalent one. */
export function refusingPart(
  rule: NamedRuleWithOperations,
  request: AdmissionRequest,
  resource: GroupVersionResource,
): RulePart | undefined {
  if (!scopeHits(rule, request, resource)) return "scope";
  if (!hits(rule.operations, request.operation)) return "operations";
  if (!hits(rule.apiGroups, resource.group)) return "apiGroups";
  if (!hits(rule.apiVersions, resource.version)) return "apiVersions";
  if (!resourceHits(rule.resources, resource.resource, request.subresource ?? "")) return "resources";
  const names = rule.resourceNames;
  if (names && names.length > 0 && !names.includes(request.name ?? "")) return "resourceNames";
  return undefined;
}

// Requests for Namespace objects carry the namespace's own name, and are cluster-scoped all the same.
function scopeHits(
  rule: NamedRuleWithOperations,
  { namespace }: AdmissionRequest,
  resource: GroupVersionResource,
): boolean {
  const { scope = "*" } = rule;
  if (scope === "*") return true;
  const isNamespace = resource.resource === "namespaces" && resource.version === "v1" && resource.group === "";
  const inNamespace = !isNamespace && namespace !== undefined && namespace !== "";
  return scope === "Namespaced" ? inNamespace : scope === "Cluster" && !inNamespace;
}

function hits(patterns: readonly string[] | undefined, text: string): boolean {
  if (!patterns) return false;
  for (const pattern of patterns) if (pattern === "*" || pattern === text) return true;
  return false;
}

/** `pods` is pods alone, `pods/*` pods and all its subresources, `*` everything that is not a subresource. */
export function resourceHits(patterns: readonly string[] | undefined, resource: string, subresource: string): boolean {
  if (!patterns) return false;
  for (const pattern of patterns) {
    const slash = pattern.indexOf("/");
    const left = slash === -1 ? pattern : pattern.slice(0, slash);
    if (left !== "*" && left !== resource) continue;
    const right = slash === -1 ? "" : pattern.slice(slash + 1);
    if (right === "*" || right === subresource) return true;
  }
  return false;
}
