// The served resources and kinds of the cluster: kinds of resources, resources of kinds, the same resource under other versions. Built
// again from discovery when CRDs change; immutable.

import type { ResourceMapper } from "@celadon/admission";
import type { ParamKind } from "@celadon/admission/policy";
import type { DiscoveredResource } from "@celadon/client";
import { apiVersionOf, type GroupVersionKind, type GroupVersionResource } from "@celadon/kube";

export class ServedKinds {
  readonly #byKind: ReadonlyMap<string, DiscoveredResource>;
  readonly #versions: ReadonlyMap<string, readonly GroupVersionResource[]>;

  constructor(resources: readonly DiscoveredResource[]) {
    this.#byKind = new Map(resources.map((resource) => [`${apiVersionOf(resource)} ${resource.kind}`, resource]));
    const versions = new Map<string, GroupVersionResource[]>();
    for (const resource of resources) {
      const key = storageKey(resource);
      versions.set(key, [...(versions.get(key) ?? []), resource]);
    }
    this.#versions = versions;
  }

  /** The resource whose objects have the kind; undefined if it is not served. */
  resourceOf({ apiVersion, kind }: ParamKind): DiscoveredResource | undefined {
    return this.#byKind.get(`${apiVersion} ${kind}`);
  }

  /** The same objects under all versions, and groups, that are served. */
  versionsOf(resource: GroupVersionResource): readonly GroupVersionResource[] {
    return this.#versions.get(storageKey(resource)) ?? [];
  }
}

/** Events are the same objects in two groups. */
function storageKey({ group, resource }: GroupVersionResource): string {
  return `${group === "events.k8s.io" ? "" : group}/${resource}`;
}

/**
 * The version that a review carries comes first and stands for the versions of a policy: the API server has converted to it already. The
 * others are known too, because a rule that excludes may name them.
 */
export function sentVersion(
  resource: GroupVersionResource,
  kind: GroupVersionKind,
  others: readonly GroupVersionResource[] = [],
): ResourceMapper {
  const isSent = (groupVersionResource: GroupVersionResource): boolean =>
    groupVersionResource.version === resource.version &&
    groupVersionResource.group === resource.group &&
    groupVersionResource.resource === resource.resource;
  const equivalents = [resource, ...others.filter((other) => !isSent(other))];
  return {
    equivalents: () => equivalents,
    kind: (asked) => (isSent(asked) ? kind : { group: asked.group, version: asked.version, kind: kind.kind }),
  };
}
