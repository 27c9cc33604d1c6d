// Nobody grants more than they have: the author of a role or a binding holds its rules already, or may `escalate` the role or `bind` it.
// Upstream: kubernetes pkg/registry/rbac.

import { quoteGo, semanticEqual } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { forbidden, notFound } from "@celadon/kube/status";
import { type Draft, objectOf } from "@celadon/write";
import { isMaster, userOf } from "../authz/access.ts";
import { describeRules, missingRules, quotedList, type Rule } from "../authz/rule-cover.ts";
import { keyOf } from "../kinds/resource.ts";
import { StatusError } from "../wire/status-error.ts";
import type { Exchange } from "./exchange.ts";
import type { Services } from "./services.ts";

const GROUP = "rbac.authorization.k8s.io";
const EVERYTHING: readonly Rule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

interface Role {
  readonly rules?: readonly Rule[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly unknown[] };
}

interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** Throws a StatusError when the write would grant rights the user does not hold. Undefined where that cannot be. */
export function checkEscalation(
  services: Services,
  exchange: Exchange,
  draft: Draft,
  old: KubeObject | undefined,
): Promise<void> | undefined {
  const { resource, user } = exchange;
  if (resource.group !== GROUP || isMaster(user)) return undefined;
  if (old !== undefined && isSameBesideOwners(objectOf(draft), old)) return undefined;
  const isBinding = resource.kind === "RoleBinding" || resource.kind === "ClusterRoleBinding";
  return isBinding ? checkBinding(services, exchange, draft) : checkRole(services, exchange, draft, old);
}

async function checkRole(
  services: Services,
  exchange: Exchange,
  draft: Draft,
  old: KubeObject | undefined,
): Promise<void> {
  const { resource, namespace, name } = exchange;
  const may = await allowed(services, exchange, "escalate", resource.resource, namespace, name);
  if (may) return;
  const role = draft as Role;
  const isAggregated = ({ aggregationRule }: Role): boolean => (aggregationRule?.clusterRoleSelectors ?? []).length > 0;
  confirm(services, exchange, draft, role.rules ?? []);
  if (!isAggregated(role) && !(old !== undefined && isAggregated(old as Role))) return;
  const { rules } = services.grantedRules(exchange.user, "");
  if (missingRules(rules, EVERYTHING).length === 0) return;
  const text = "must have cluster-admin privileges to use the aggregationRule";
  throw new StatusError(forbidden(resource, draft.metadata.name ?? "", text));
}

async function checkBinding(services: Services, exchange: Exchange, draft: Draft): Promise<void> {
  const { roleRef } = draft as unknown as { roleRef: RoleRef };
  const plural = roleRef.kind === "ClusterRole" ? "clusterroles" : "roles";
  const isKnown = roleRef.kind === "ClusterRole" || roleRef.kind === "Role";
  if (isKnown && (await allowed(services, exchange, "bind", plural, exchange.namespace, roleRef.name))) return;
  const served = services.kinds.resource(GROUP, "v1", plural)!;
  const { cache } = services.handler(served);
  await cache.ready();
  const found = cache.get(keyOf(served.storage, exchange.namespace, roleRef.name))?.object as Role | undefined;
  if (found === undefined) throw new StatusError(notFound(served, roleRef.name));
  confirm(services, exchange, draft, found.rules ?? []);
}

async function allowed(
  services: Services,
  { user }: Exchange,
  verb: string,
  resource: string,
  namespace: string,
  name: string,
): Promise<boolean> {
  const { decision } = await services.decide({
    user: userOf(user),
    verb,
    resourceRequest: true,
    apiGroup: GROUP,
    apiVersion: "*",
    resource,
    namespace,
    name,
  });
  return decision === "allow";
}

function confirm(services: Services, exchange: Exchange, draft: Draft, rules: readonly Rule[]): void {
  const { user, namespace, resource } = exchange;
  const held = services.grantedRules(user, namespace);
  const missing = missingRules(held.rules, rules);
  if (missing.length === 0) return;
  const who = `user ${quoteGo(user.username ?? "")} (groups=${quotedList(user.groups ?? [])})`;
  const errors = held.errors.length === 0 ? "" : `; resolution errors: [${held.errors.join(", ")}]`;
  const text = `${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}${errors}`;
  throw new StatusError(forbidden(resource, draft.metadata.name ?? "", text));
}

/** Only fields that the garbage collector changes: owners and finalizers. */
function isSameBesideOwners(next: KubeObject, old: KubeObject): boolean {
  const rest = ({ metadata, ...others }: KubeObject): unknown => {
    const {
      ownerReferences: _,
      finalizers: __,
      managedFields: ___,
      resourceVersion: ____,
      ...meta
    } = (metadata ?? {}) as Record<string, unknown>;
    return { ...others, metadata: meta };
  };
  return semanticEqual(rest(next), rest(old));
}
