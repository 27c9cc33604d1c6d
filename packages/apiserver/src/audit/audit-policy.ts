// Selects the requests to log, and the level of detail: the first rule that matches decides. Upstream: apiserver pkg/audit/policy.

import { isRecord, trimEndOf } from "@celadon/base";
import type { RequestInfo } from "../wire/request-info.ts";

export const AUDIT_LEVELS = ["None", "Metadata", "Request", "RequestResponse"] as const;
/** The level of detail for a request. */
export type AuditLevel = (typeof AUDIT_LEVELS)[number];
export const AUDIT_STAGES = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"] as const;
export type AuditStage = (typeof AUDIT_STAGES)[number];

/** The requests to log, and the level of detail for each. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** A rule of an audit policy; the first that matches decides. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly AuditResources[];
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

export interface AuditResources {
  readonly group?: string;
  /** `pods`, `pods/log`, `*`, `pods/*`, `*` + `/log`; empty for all. */
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** The level of detail for a request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/** Metadata of everything, when it was answered. */
export const DEFAULT_POLICY: AuditPolicy = { rules: [{ level: "Metadata" }], omitStages: ["RequestReceived"] };

const NOTHING: AuditDecision = { level: "None", omitStages: new Set(), omitManagedFields: false };

interface Audited {
  readonly info: RequestInfo;
  readonly user: { readonly username?: string; readonly groups?: readonly string[] } | undefined;
}

export function decideAudit(policy: AuditPolicy, request: Audited): AuditDecision {
  const rule = policy.rules.find((auditRule) => matches(auditRule, request));
  if (rule === undefined) return NOTHING;
  return {
    level: rule.level,
    omitStages: new Set([...(policy.omitStages ?? []), ...(rule.omitStages ?? [])]),
    omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields ?? false,
  };
}

function matches(rule: AuditRule, { info, user }: Audited): boolean {
  const { users = [], userGroups = [], verbs = [], namespaces = [], resources = [], nonResourceURLs = [] } = rule;
  if (users.length > 0 && !users.includes(user?.username ?? "")) return false;
  if (userGroups.length > 0 && !userGroups.some((group) => user?.groups?.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(info.verb)) return false;
  if (namespaces.length > 0 || resources.length > 0) return info.isResource && matchesResource(rule, info);
  if (nonResourceURLs.length > 0)
    return !info.isResource && nonResourceURLs.some((path) => pathMatches(path, info.path));
  return true;
}

function matchesResource({ namespaces = [], resources = [] }: AuditRule, info: RequestInfo): boolean {
  if (namespaces.length > 0 && !namespaces.includes(info.namespace)) return false;
  if (resources.length === 0) return true;
  const { resource, subresource, name } = info;
  const whole = subresource === "" ? resource : `${resource}/${subresource}`;
  return resources.some(({ group = "", resources: own = [], resourceNames = [] }) => {
    if (group !== info.group) return false;
    if (own.length === 0) return true;
    if (resourceNames.length > 0 && !resourceNames.includes(name)) return false;
    return own.some(
      (text) =>
        text === "*" ||
        text === whole ||
        text === `*/${subresource}` ||
        (subresource !== "" && text === `${resource}/*`),
    );
  });
}

function pathMatches(pattern: string, path: string): boolean {
  if (pattern === "*" || pattern === path) return true;
  return pattern.endsWith("*") && path.startsWith(trimEndOf(pattern, /\*/));
}

/** The audit policy of a manifest, or its problems. */
export function readAuditPolicy(value: unknown): AuditPolicy | { readonly problem: string } {
  if (!isRecord(value)) return { problem: "it is not an object" };
  if (value.apiVersion !== "audit.k8s.io/v1" || value.kind !== "Policy") {
    return { problem: "apiVersion and kind must be audit.k8s.io/v1 and Policy" };
  }
  const { rules } = value;
  if (!Array.isArray(rules) || rules.length === 0) return { problem: "it has no rules" };
  for (const [i, rule] of rules.entries()) {
    const problem = ruleProblem(rule);
    if (problem !== undefined) return { problem: `rules[${i}]${problem}` };
  }
  const stages = stageProblem(value.omitStages);
  return stages === undefined ? (value as unknown as AuditPolicy) : { problem: `omitStages: ${stages}` };
}

const LISTS = ["users", "userGroups", "verbs", "namespaces", "nonResourceURLs", "resources"];

function ruleProblem(rule: unknown): string | undefined {
  if (!isRecord(rule)) return " is no object";
  if (!(AUDIT_LEVELS as readonly unknown[]).includes(rule.level)) {
    return `.level must be one of ${AUDIT_LEVELS.join(", ")}`;
  }
  const wrong = LISTS.find((name) => rule[name] !== undefined && !Array.isArray(rule[name]));
  if (wrong !== undefined) return `.${wrong} must be a list`;
  if (rule.nonResourceURLs !== undefined && (rule.resources !== undefined || rule.namespaces !== undefined)) {
    return ".nonResourceURLs cannot be combined with resources or namespaces";
  }
  const stages = stageProblem(rule.omitStages);
  return stages === undefined ? undefined : `.omitStages: ${stages}`;
}

function stageProblem(stages: unknown): string | undefined {
  if (stages === undefined) return undefined;
  const isKnown =
    Array.isArray(stages) && stages.every((stage) => (AUDIT_STAGES as readonly unknown[]).includes(stage));
  return isKnown ? undefined : `must be a list of ${AUDIT_STAGES.join(", ")}`;
}
