// The strategies of built-in kinds on the server of a cluster, made on first use.

import type { Authorizer, Maybe } from "@celadon/admission";
import type { WrittenResource } from "@celadon/write";
import { loadStrategy, type PolicyHosts, type Strategy } from "@celadon/write/strategy";

/** The strategies of a cluster by resource and subresource. */
export class Strategies {
  readonly #hosts: PolicyHosts;
  readonly #known = new Map<string, Strategy>();

  constructor(hosts: PolicyHosts) {
    this.#hosts = hosts;
  }

  of(resource: WrittenResource, subresource = ""): Maybe<Strategy> {
    const key = `${resource.apiVersion} ${resource.kind} ${subresource}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    return loadStrategy(resource, subresource, this.#hosts).then((strategy) => {
      this.#known.set(key, strategy);
      return strategy;
    });
  }
}

/** Without roles among the inputs nothing is known of permissions, and everybody may read params. */
export const EVERYBODY_MAY: Authorizer = { authorize: () => ({ decision: "allow" }) };
