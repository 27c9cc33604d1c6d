// What the cluster serves, as policies and params need it: kinds of resources, resources of kinds, the same resource under other
// versions. Made anew from discovery when definitions change; never changed itself.

import type { ParamKind, ResourceMapper } from "@celadon/admission";
import type { ServedResource } from "@celadon/client";
import { apiVersionOf, type GroupVersionKind, type GroupVersionResource } from "@celadon/kube";

export class ServedKinds {
  readonly #byKind: ReadonlyMap<string, ServedResource>;

  constructor(resources: readonly ServedResource[]) {
    this.#byKind = new Map(resources.map((one) => [`${apiVersionOf(one)} ${one.kind}`, one]));
  }

  /** The resource whose objects are of the kind; undefined when it is not served. */
  resourceOf({ apiVersion, kind }: ParamKind): ServedResource | undefined {
    return this.#byKind.get(`${apiVersion} ${kind}`);
  }
}

/** The version that a review carries stands for all others: the API server has converted to it already. */
export function sentVersion(resource: GroupVersionResource, kind: GroupVersionKind): ResourceMapper {
  return {
    equivalents: () => [resource],
    kind: (asked) => (asked.version === resource.version && asked.group === resource.group ? kind : undefined),
  };
}
