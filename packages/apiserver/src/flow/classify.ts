// Whether a request belongs to a flow schema, by its user and its target. Upstream: apiserver pkg/util/flowcontrol/rule.go.

import type { UserInfo } from "@celadon/admission";
import type {
  FlowSchema,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from "@celadon/kube/api/flowcontrol-v1";
import { splitServiceAccount } from "../authn/service-account-name.ts";
import type { RequestInfo } from "../wire/request-info.ts";

const DEFAULT_PRECEDENCE = 1000;

/** The order in which schemas are matched; by name if the precedence is equal. */
export function inMatchingOrder(schemas: readonly FlowSchema[]): FlowSchema[] {
  const precedence = ({ spec }: FlowSchema): number => spec?.matchingPrecedence || DEFAULT_PRECEDENCE;
  const name = ({ metadata }: FlowSchema): string => metadata?.name ?? "";
  return [...schemas].sort((a, b) => precedence(a) - precedence(b) || (name(a) < name(b) ? -1 : 1));
}

export function matchesSchema(rules: readonly PolicyRulesWithSubjects[], user: UserInfo, info: RequestInfo): boolean {
  for (const { subjects, resourceRules, nonResourceRules } of rules) {
    // Rules are fewer than subjects, and most requests are for resources.
    const asked = info.isResource
      ? (resourceRules?.some((rule) => matchesResource(rule, info)) ?? false)
      : (nonResourceRules?.some((rule) => matchesPath(rule, info)) ?? false);
    if (asked && (subjects?.some((subject) => isSubject(subject, user)) ?? false)) return true;
  }
  return false;
}

function isSubject(
  { kind, user: named, group, serviceAccount }: Subject,
  { username = "", groups = [] }: UserInfo,
): boolean {
  switch (kind) {
    case "User":
      return named?.name === "*" || named?.name === username;
    case "Group":
      return group?.name === "*" || groups.includes(group?.name ?? "");
    default: {
      const own = splitServiceAccount(username);
      if (own === undefined || own.namespace !== serviceAccount?.namespace) return false;
      return serviceAccount.name === "*" || serviceAccount.name === own.name;
    }
  }
}

function matchesResource(
  { verbs, apiGroups, resources, clusterScope, namespaces }: ResourcePolicyRule,
  info: RequestInfo,
): boolean {
  const whole = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
  if (!has(verbs, info.verb) || !has(apiGroups, info.group) || !has(resources, whole)) return false;
  return info.namespace === "" ? clusterScope === true : has(namespaces, info.namespace);
}

function matchesPath({ verbs, nonResourceURLs }: NonResourcePolicyRule, info: RequestInfo): boolean {
  return has(verbs, info.verb) && (nonResourceURLs ?? []).some((path) => isPath(path, info.path));
}

const has = (list: readonly string[] | null | undefined, value: string): boolean =>
  list?.some((text) => text === "*" || text === value) ?? false;

/** A path matches everything below it, with or without a star. */
function isPath(pattern: string, path: string): boolean {
  if (pattern === "*" || pattern === path) return true;
  const directory = pattern.endsWith("*") ? pattern.slice(0, -1) : pattern;
  return path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}
