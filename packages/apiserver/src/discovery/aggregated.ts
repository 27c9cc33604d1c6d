// Discovery in one piece: every group, version, resource and subresource. v2 and v2beta1 differ in their name alone.

import type { GroupVersionKind } from "@celadon/kube";
import type { KindTable } from "../kinds/kind-table.ts";
import type { ServedResource } from "../kinds/resource.ts";
import { type ServedGroup, servedGroups } from "./groups.ts";

export type AggregatedVersion = "v2" | "v2beta1";

/** The core group alone (`/api`), or all others (`/apis`). */
export function groupDiscoveryList(kinds: KindTable, core: boolean, version: AggregatedVersion): unknown {
  const groups = servedGroups(kinds).filter(({ group }) => (group === "") === core);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(groupItem),
  };
}

function groupItem({ group, versions }: ServedGroup): unknown {
  return {
    metadata: group === "" ? {} : { name: group },
    versions: versions.map(({ version, resources }) => ({
      version,
      resources: resources.map(resourceItem),
      freshness: "Current",
    })),
  };
}

function resourceItem(resource: ServedResource): unknown {
  const { kind, group, version } = resource;
  const subresources = [...resource.subresources.values()].map((sub) => ({
    subresource: sub.name,
    responseKind: kindItem(sub.kind),
    verbs: sub.verbs,
  }));
  return {
    resource: resource.resource,
    responseKind: kindItem({ group, version, kind }),
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
    ...(resource.categories.length > 0 && { categories: resource.categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}

const kindItem = ({ group, version, kind }: GroupVersionKind): unknown => ({ group, version, kind });
