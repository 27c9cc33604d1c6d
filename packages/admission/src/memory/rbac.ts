// The RBAC authorizer, answering from Role, ClusterRole, RoleBinding and ClusterRoleBinding manifests as the API server's does.
// Aggregated ClusterRoles count with the rules they hold: their aggregation is a controller's work.
// Upstream: kubernetes plugin/pkg/auth/authorizer/rbac, pkg/registry/rbac/validation.

import { pushAll, quoteGo } from "@celadon/base";
import { type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import type { Attributes, AuthorizerDecision, User } from "@celadon/kube-cel";
import type { Authorizer } from "../hosts.ts";

/** Answers that take precedence over RBAC; the first that fits counts. */
export interface RbacOptions {
  /** Answers that take precedence over RBAC; the first match counts. */
  readonly overrides?: readonly AuthorizerOverride[];
  /** Groups that may do everything; the API server's is `system:masters`. */
  readonly privilegedGroups?: readonly string[];
}

/** An answer for questions with these attributes; an absent attribute fits everything. */
export interface AuthorizerOverride {
  readonly user?: string;
  readonly group?: string;
  readonly verb?: string;
  readonly apiGroup?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly decision: AuthorizerDecision["decision"];
  readonly reason?: string;
  readonly error?: string;
}

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

interface Subject {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

interface RoleBinding {
  readonly name: string;
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly subjects: readonly Subject[];
  readonly role: { readonly kind: string; readonly name: string };
}

/** An authorizer that can also list all that a user may do. */
export interface RbacAuthorizer extends Authorizer {
  /** The rules of every role bound to the user, in the cluster and in a namespace (none: empty). */
  rulesFor(user: User, namespace: string): GrantedRules;
}

/** The rules of a user, and problems of the bindings that grant them. */
export interface GrantedRules {
  readonly rules: readonly PolicyRule[];
  /** The problems of the user's bindings: roles that do not exist. */
  readonly errors: readonly string[];
}

/** Authorizes by Roles, ClusterRoles and their bindings. */
export function createRbacAuthorizer(manifests: Iterable<KubeObject>, options: RbacOptions = {}): RbacAuthorizer {
  const { overrides = [], privilegedGroups = ["system:masters"] } = options;
  const roles = new Map<string, readonly PolicyRule[]>();
  const clusterBindings: RoleBinding[] = [];
  const bindings = new Map<string, RoleBinding[]>();
  for (const manifest of manifests) {
    if (!String(manifest.apiVersion ?? "").startsWith("rbac.authorization.k8s.io/")) continue;
    const name = nameOf(manifest);
    const namespace = namespaceOf(manifest);
    switch (manifest.kind) {
      case "ClusterRole":
        roles.set(`/${name}`, rulesOf(manifest.rules));
        break;
      case "Role":
        roles.set(`${namespace}/${name}`, rulesOf(manifest.rules));
        break;
      case "ClusterRoleBinding":
        clusterBindings.push(bindingOf(manifest, name, ""));
        break;
      case "RoleBinding":
        bindings.set(namespace, [...(bindings.get(namespace) ?? []), bindingOf(manifest, name, namespace)]);
        break;
    }
  }
  /** The user's bindings with the rules of their roles; undefined for a role that does not exist. */
  function* granted(user: User, namespace: string): IterableIterator<Granted> {
    for (const binding of clusterBindings) yield* grantOf(binding, user);
    for (const binding of namespace === "" ? [] : (bindings.get(namespace) ?? [])) yield* grantOf(binding, user);
  }
  function* grantOf(binding: RoleBinding, user: User): IterableIterator<Granted> {
    const subject = binding.subjects.find((item) => isSubject(item, user, binding.namespace));
    if (subject === undefined) return;
    const place = binding.role.kind === "Role" ? binding.namespace : "";
    yield { binding, subject, rules: roles.get(`${place}/${binding.role.name}`) };
  }
  return {
    authorize(attributes: Attributes): AuthorizerDecision {
      const override = overrides.find((authorizerOverride) => fits(authorizerOverride, attributes));
      if (override !== undefined) {
        const { decision, reason, error } = override;
        return { decision, ...(reason !== undefined && { reason }), ...(error !== undefined && { error }) };
      }
      if (attributes.user.groups?.some((group) => privilegedGroups.includes(group)))
        return { decision: "allow", reason: "" };
      const errors: string[] = [];
      for (const { binding, subject, rules } of granted(attributes.user, attributes.namespace ?? "")) {
        if (rules === undefined) errors.push(missingRole(binding));
        else if (rules.some((rule) => allows(rule, attributes)))
          return { decision: "allow", reason: allowedBy(binding, subject) };
      }
      const distinct = [...new Set(errors)];
      const text = distinct.length === 1 ? distinct[0]! : `[${distinct.join(", ")}]`;
      return { decision: "noOpinion", reason: distinct.length === 0 ? "" : `RBAC: ${text}` };
    },
    rulesFor(user: User, namespace: string): GrantedRules {
      const rules: PolicyRule[] = [];
      const errors: string[] = [];
      for (const grant of granted(user, namespace)) {
        if (grant.rules === undefined) errors.push(missingRole(grant.binding));
        else pushAll(rules, grant.rules);
      }
      return { rules, errors };
    },
  };
}

interface Granted {
  readonly binding: RoleBinding;
  readonly subject: Subject;
  readonly rules: readonly PolicyRule[] | undefined;
}

function missingRole({ role }: RoleBinding): string {
  return `${roleResource(role.kind)} ${quoteGo(role.name)} not found`;
}

function roleResource(kind: string): string {
  return kind === "Role" ? "role.rbac.authorization.k8s.io" : "clusterrole.rbac.authorization.k8s.io";
}

function fits(override: AuthorizerOverride, { user, ...asked }: Attributes): boolean {
  if (override.user !== undefined && override.user !== user.name) return false;
  if (override.group !== undefined && !user.groups?.includes(override.group)) return false;
  const fields = ["verb", "apiGroup", "resource", "subresource", "namespace", "name", "path"] as const;
  return fields.every((field) => override[field] === undefined || override[field] === (asked[field] ?? ""));
}

function isSubject({ kind, name, namespace }: Subject, user: User, bindingNamespace: string): boolean {
  switch (kind) {
    case "User":
      return user.name === name;
    case "Group":
      return name !== undefined && (user.groups?.includes(name) ?? false);
    case "ServiceAccount": {
      const where = namespace || bindingNamespace;
      return where !== "" && user.name === `system:serviceaccount:${where}:${name}`;
    }
    default:
      return false;
  }
}

function allows(rule: PolicyRule, asked: Attributes): boolean {
  if (!has(rule.verbs, asked.verb)) return false;
  if (!asked.resourceRequest) return pathAllowed(rule.nonResourceURLs, asked.path ?? "");
  const { apiGroup = "", resource = "", subresource = "", name = "" } = asked;
  if (!has(rule.apiGroups, apiGroup) || !resourceAllowed(rule.resources, resource, subresource)) return false;
  const names = rule.resourceNames ?? [];
  return names.length === 0 || names.includes(name);
}

function has(list: readonly string[] | undefined, wanted: string): boolean {
  return list?.some((text) => text === "*" || text === wanted) ?? false;
}

function resourceAllowed(list: readonly string[] | undefined, resource: string, subresource: string): boolean {
  const whole = subresource === "" ? resource : `${resource}/${subresource}`;
  return (
    list?.some((text) => text === "*" || text === whole || (subresource !== "" && text === `*/${subresource}`)) ?? false
  );
}

/** A path followed by any number of stars. */
function isPrefixPattern(text: string, path: string): boolean {
  let end = text.length;
  while (text[end - 1] === "*") end--;
  return end < text.length && path.startsWith(text.slice(0, end));
}

function pathAllowed(list: readonly string[] | undefined, path: string): boolean {
  return list?.some((text) => text === "*" || text === path || isPrefixPattern(text, path)) ?? false;
}

function allowedBy({ name, namespace, role }: RoleBinding, subject: Subject): string {
  const binding =
    namespace === "" ? `ClusterRoleBinding ${quoteGo(name)}` : `RoleBinding ${quoteGo(`${name}/${namespace}`)}`;
  const where = subject.namespace || namespace;
  const who = subject.kind === "ServiceAccount" ? `${subject.name}/${where}` : (subject.name ?? "");
  return `RBAC: allowed by ${binding} of ${role.kind} ${quoteGo(role.name)} to ${subject.kind} ${quoteGo(who)}`;
}

function bindingOf(manifest: KubeObject, name: string, namespace: string): RoleBinding {
  const role = (manifest.roleRef ?? {}) as { kind?: string; name?: string };
  return {
    name,
    namespace,
    subjects: listOf(manifest.subjects),
    role: { kind: role.kind ?? "", name: role.name ?? "" },
  };
}

/** Lists of strings, as a server would have them: anything else grants nothing. */
function rulesOf(value: unknown): readonly PolicyRule[] {
  const texts = (list: unknown): readonly string[] =>
    Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
  return listOf<Record<keyof PolicyRule, unknown>>(value).map((rule) => ({
    verbs: texts(rule.verbs),
    apiGroups: texts(rule.apiGroups),
    resources: texts(rule.resources),
    resourceNames: texts(rule.resourceNames),
    nonResourceURLs: texts(rule.nonResourceURLs),
  }));
}

/** An entry that is no object grants nothing. */
function listOf<T extends object>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value.filter((item): item is T => typeof item === "object" && item !== null) : [];
}
