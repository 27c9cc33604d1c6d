// Which flow schema a request belongs to. Requests are not queued by it, because one limit applies to all of them; the
// schema and the share of its level are only reported to clients and operators. Upstream: apiserver
// pkg/util/flowcontrol.

import type { UserInfo } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";
import type {
  FlowSchema,
  PolicyRulesWithSubjects,
  PriorityLevelConfiguration,
  ResourcePolicyRule,
  Subject,
} from "@celadon/kube/api/flowcontrol-v1";
import { splitServiceAccount } from "../authn/service-account-name.ts";
import type { FlowMetrics } from "../metrics/flow-metrics.ts";
import type { ResourceCache } from "../store/cache.ts";
import type { RequestInfo } from "../wire/request-info.ts";

const NO_HEADERS: Readonly<Record<string, string>> = {};
const DEFAULT_PRECEDENCE = 1000;
const DEFAULT_SHARES = 30;

/** A schema as requests meet it. */
interface Flow {
  readonly rules: readonly PolicyRulesWithSubjects[];
  readonly headers: Readonly<Record<string, string>>;
  readonly count: () => void;
}

export class FlowSchemas {
  readonly #schemas: ResourceCache;
  readonly #levels: ResourceCache;
  readonly #metrics: FlowMetrics;
  #flows: readonly Flow[] = [];
  #readAt = "";

  constructor(schemas: ResourceCache, levels: ResourceCache, metrics: FlowMetrics) {
    this.#schemas = schemas;
    this.#levels = levels;
    this.#metrics = metrics;
  }

  /** Headers that name the schema and the level of a request, which is counted under them; none where no schema matches. */
  headers(user: UserInfo, info: RequestInfo): Readonly<Record<string, string>> {
    for (const { rules, headers, count } of this.#current()) {
      if (!rules.some((rule) => matches(rule, user, info))) continue;
      count();
      return headers;
    }
    return NO_HEADERS;
  }

  /** The share of a limit that each level has by what it is configured with. */
  seats(limit: number): ReadonlyMap<string, number> {
    const shares = new Map(this.#levels.all().map(({ name, object }) => [name, sharesOf(object)]));
    const all = [...shares.values()].reduce((sum, share) => sum + share, 0);
    return new Map([...shares].map(([name, own]) => [name, all === 0 ? 0 : Math.ceil((limit * own) / all)]));
  }

  /** In the order in which they are matched. */
  #current(): readonly Flow[] {
    const readAt = `${this.#schemas.changedAt} ${this.#levels.changedAt}`;
    if (readAt === this.#readAt) return this.#flows;
    this.#readAt = readAt;
    const precedence = ({ spec }: FlowSchema): number => spec?.matchingPrecedence || DEFAULT_PRECEDENCE;
    this.#flows = this.#schemas
      .all()
      .map(({ object }) => object as FlowSchema)
      // Those of equal precedence are in the order of their names already.
      .sort((a, b) => precedence(a) - precedence(b))
      .map((schema) => this.#flowOf(schema));
    return this.#flows;
  }

  #flowOf({ metadata, spec }: FlowSchema): Flow {
    const level = spec?.priorityLevelConfiguration?.name ?? "";
    const found = this.#levels.get(`${this.#levels.storage.prefix}${level}`)?.object;
    return {
      rules: spec?.rules ?? [],
      headers: {
        "x-kubernetes-pf-flowschema-uid": metadata?.uid ?? "",
        "x-kubernetes-pf-prioritylevel-uid": found?.metadata?.uid ?? "",
      },
      count: this.#metrics.dispatched(metadata?.name ?? "", level),
    };
  }
}

function sharesOf(level: KubeObject): number {
  const { type, exempt, limited } = (level as PriorityLevelConfiguration).spec ?? {};
  return type === "Exempt"
    ? (exempt?.nominalConcurrencyShares ?? 0)
    : (limited?.nominalConcurrencyShares ?? DEFAULT_SHARES);
}

function matches(rule: PolicyRulesWithSubjects, user: UserInfo, info: RequestInfo): boolean {
  if (!(rule.subjects ?? []).some((subject) => isSubject(subject, user))) return false;
  if (info.isResource) return (rule.resourceRules ?? []).some((resourceRule) => matchesResource(resourceRule, info));
  return (rule.nonResourceRules ?? []).some(
    ({ verbs, nonResourceURLs }) =>
      has(verbs, info.verb) && (nonResourceURLs ?? []).some((path) => isPath(path, info.path)),
  );
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

const has = (list: readonly string[] | null | undefined, value: string): boolean =>
  (list ?? []).some((text) => text === "*" || text === value);

function isPath(pattern: string, path: string): boolean {
  if (pattern === "*" || pattern === path) return true;
  return pattern.endsWith("/*") && path.startsWith(pattern.slice(0, -1));
}
