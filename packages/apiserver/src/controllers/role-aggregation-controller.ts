// Cluster roles made of others: the rules of all roles that their selectors name. Upstream: kubernetes
// pkg/controller/clusterroleaggregation.

import { semanticEqual } from "@celadon/base";
import type { ClusterRole } from "@celadon/kube/api/rbac-v1";
import { Invalid } from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";
import type { LocalClient } from "../client/local-client.ts";
import type { ResourceCache } from "../store/cache.ts";
import { QueueController, RequestRefused } from "./controller.ts";

const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const MANAGER = "clusterrole-aggregation-controller";
type Rule = NonNullable<ClusterRole["rules"]>[number];

export class RoleAggregationController extends QueueController {
  readonly name = "clusterrole-aggregation";
  readonly #roles: ResourceCache;

  constructor(roles: ResourceCache) {
    super();
    this.#roles = roles;
  }

  protected follow(): void {
    const all = (): void => {
      for (const { name, object } of this.#roles.all()) {
        if ((object as ClusterRole).aggregationRule != null) this.add(name);
      }
    };
    all();
    this.onStop(this.#roles.subscribe(all));
  }

  protected async sync(client: LocalClient, name: string): Promise<void> {
    const role = this.#roles.get(`${this.#roles.storage.prefix}${name}`)?.object as ClusterRole | undefined;
    if (role?.aggregationRule == null) return;
    const rules = this.#aggregated(name, role);
    if (rules === undefined || semanticEqual(rules, role.rules ?? [])) return;
    const body = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name }, rules };
    const { code, text } = await client.call("PATCH", `${ROLES}/${name}?fieldManager=${MANAGER}&force=true`, {
      body,
      type: "application/apply-patch+yaml",
    });
    if (code >= 400 && code !== 404) throw new RequestRefused(code, text);
  }

  /** Undefined when a selector is not one. */
  #aggregated(name: string, { aggregationRule }: ClusterRole): readonly Rule[] | undefined {
    const rules: Rule[] = [];
    for (const selector of aggregationRule?.clusterRoleSelectors ?? []) {
      const parsed = toLabelSelector(selector as Parameters<typeof toLabelSelector>[0]);
      if (parsed instanceof Invalid) return undefined;
      for (const { name: other, labels, object } of this.#roles.all()) {
        if (other === name || !parsed.matches(labels)) continue;
        for (const rule of (object as ClusterRole).rules ?? []) {
          if (!rules.some((known) => semanticEqual(known, rule))) rules.push(rule);
        }
      }
    }
    return rules;
  }
}
