// Finds the resources of a cluster that an audit must read: those that a policy in force may match, each in one version.

import type { NamedRuleWithOperations } from "@celadon/admission/policy";
import { compareStrings } from "@celadon/base";
import type { DiscoveredResource } from "@celadon/client";

/** Options for the audited resources. */
export interface AuditedOptions {
  readonly operation: "CREATE" | "UPDATE";
  /** Custom resources too, whether a policy matches them or not. */
  readonly custom?: (resource: DiscoveredResource) => boolean;
}

/** Resources to audit, in a fixed order. Reviews, events and resources that cannot be listed are excluded. */
export function auditedResources(
  served: readonly DiscoveredResource[],
  rules: readonly NamedRuleWithOperations[],
  { operation, custom }: AuditedOptions,
): readonly DiscoveredResource[] {
  const byResource = new Map<string, DiscoveredResource[]>();
  for (const resource of served) {
    if (!resource.verbs.includes("list")) continue;
    const key = `${resource.group}/${resource.resource}`;
    byResource.set(key, [...(byResource.get(key) ?? []), resource]);
  }
  const chosen = [...byResource.values()].flatMap((versions) => {
    const named = versions.find((version) =>
      rules.some((rule) => names(rule, version, operation) && isExact(rule, version)),
    );
    if (named !== undefined) return [named];
    // A policy that names another version sees the object converted; all versions of a resource count alike.
    const matched = versions.find((version) =>
      rules.some((rule) => names({ ...rule, apiVersions: ["*"] }, version, operation)),
    );
    const [first] = versions;
    return matched !== undefined ? [matched] : first !== undefined && custom?.(first) ? [first] : [];
  });
  return chosen.sort((a, b) => compareStrings(a.group, b.group) || compareStrings(a.resource, b.resource));
}

function names(rule: NamedRuleWithOperations, resource: DiscoveredResource, operation: "CREATE" | "UPDATE"): boolean {
  const { apiGroups = [], apiVersions = [], resources = [], operations = [], scope = "*" } = rule;
  const has = (list: readonly string[], value: string): boolean => list.includes("*") || list.includes(value);
  return (
    has(apiGroups, resource.group) &&
    has(apiVersions, resource.version) &&
    has(operations, operation) &&
    resources.some(
      (name) => name === "*" || name === "*/*" || (name.split("/")[0] === resource.resource && isWhole(name)),
    ) &&
    (scope === "*" || (scope === "Namespaced") === resource.namespaced)
  );
}

/** `pods` and `pods/*` are about pods, `pods/exec` is not. */
const isWhole = (name: string): boolean => !name.includes("/") || name.endsWith("/*");

const isExact = ({ apiVersions = [] }: NamedRuleWithOperations, { version }: DiscoveredResource): boolean =>
  apiVersions.includes(version);
