// RBAC from the roles and bindings in the store. Rules are read again when one of them has changed; a change is in force for the next request.

import type { Authorizer } from "@celadon/admission";
import { createRbacAuthorizer, type GrantedRules, type RbacAuthorizer } from "@celadon/admission/memory";
import type { Attributes, AuthorizerDecision, User } from "@celadon/kube-cel";
import type { ResourceCache } from "../store/cache.ts";

export class StoredRbac implements RbacAuthorizer {
  readonly #caches: readonly ResourceCache[];
  #current: RbacAuthorizer | undefined;
  #changedAt: readonly number[] = [];

  /** Takes the caches of ClusterRoles, Roles and their bindings. */
  constructor(caches: readonly ResourceCache[]) {
    this.#caches = caches;
  }

  authorize(attributes: Attributes): AuthorizerDecision | Promise<AuthorizerDecision> {
    return this.#rules().authorize(attributes);
  }

  rulesFor(user: User, namespace: string): GrantedRules {
    return this.#rules().rulesFor(user, namespace);
  }

  #rules(): RbacAuthorizer {
    const changedAt = this.#caches.map((cache) => cache.changedAt);
    if (this.#current === undefined || changedAt.some((revision, i) => revision !== this.#changedAt[i])) {
      this.#changedAt = changedAt;
      this.#current = createRbacAuthorizer(this.#caches.flatMap((cache) => cache.all().map(({ object }) => object)));
    }
    return this.#current;
  }
}

/** The status of a SelfSubjectRulesReview. */
export function rulesStatus(authorizer: Authorizer, user: User, namespace: string): unknown {
  if (!(authorizer instanceof StoredRbac)) return EVERYTHING;
  const { rules, errors } = authorizer.rulesFor(user, namespace);
  const resourceRules = rules.filter(({ resources = [] }) => resources.length > 0);
  const otherRules = rules.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0);
  return {
    resourceRules: resourceRules.map(({ verbs, apiGroups, resources, resourceNames = [] }) => ({
      verbs,
      apiGroups,
      resources,
      ...(resourceNames.length > 0 && { resourceNames }),
    })),
    nonResourceRules: otherRules.map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
    ...(errors.length > 0 && { evaluationError: errors.join(", ") }),
  };
}

const EVERYTHING = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  incomplete: false,
};
