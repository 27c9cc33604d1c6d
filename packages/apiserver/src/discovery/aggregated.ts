// Discovery in one piece: every group, version, resource and subresource.

import type { GroupVersionKind } from "@celadon/kube";
import type { KindTable } from "../kinds/kind-table.ts";
import type { ServedResource } from "../kinds/resource.ts";
import { type ServedGroup, servedGroups } from "./groups.ts";

/** The core group alone (`/api`), or all others (`/apis`). */
export function groupDiscoveryList(kinds: KindTable, core: boolean): unknown {
  const groups = servedGroups(kinds).filter(({ group }) => (group === "") === core);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
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
    responseKind: kindItem(sub.kind, resource),
    verbs: sub.verbs,
  }));
  return {
    resource: resource.resource,
    responseKind: kindItem({ group, version, kind }, resource),
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
    ...(resource.categories.length > 0 && { categories: resource.categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}

/** A built-in kind in the group and version of its resource has neither. */
function kindItem({ group, version, kind }: GroupVersionKind, resource: ServedResource): unknown {
  const isOwn = !resource.storage.custom && group === resource.group && version === resource.version;
  return isOwn ? { group: "", version: "", kind } : { group, version, kind };
}
