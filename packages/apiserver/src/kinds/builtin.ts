// The built-in kinds as served resources.

import { type ServedBuiltin as BuiltinResource, servedResources } from "@celadon/kube/types";
import type { Minor } from "@celadon/kube/versions";
import type { ServedResource, StorageResource } from "./resource.ts";
import { builtinPrefix } from "./storage-prefix.ts";

/** Kinds with the same objects under two names, with the name they are stored under. */
const STORED_AS: Readonly<Record<string, string>> = {
  "events.k8s.io/v1/Event": "v1/Event",
  "autoscaling/v1/HorizontalPodAutoscaler": "autoscaling/v2/HorizontalPodAutoscaler",
  "flowcontrol.apiserver.k8s.io/v1beta3/FlowSchema": "flowcontrol.apiserver.k8s.io/v1/FlowSchema",
  "flowcontrol.apiserver.k8s.io/v1beta3/PriorityLevelConfiguration":
    "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration",
};

/** Every built-in resource, in the order of discovery. */
export function builtinResources(minor?: Minor): readonly ServedResource[] {
  const served = servedResources(minor);
  const storages = new Map(served.map((resource) => [`${resource.apiVersion}/${resource.kind}`, storageOf(resource)]));
  return served.map((resource) => {
    const { group, version, apiVersion, kind, singular, namespaced, verbs, shortNames, categories } = resource;
    const name = `${apiVersion}/${kind}`;
    return {
      group,
      version,
      apiVersion,
      resource: resource.plural,
      singular,
      kind,
      listKind: `${kind}List`,
      namespaced,
      verbs,
      shortNames,
      categories,
      subresources: new Map(
        resource.subresources.map((sub) => {
          const slash = sub.apiVersion.indexOf("/");
          const gv = { group: sub.apiVersion.slice(0, Math.max(slash, 0)), version: sub.apiVersion.slice(slash + 1) };
          return [sub.name, { name: sub.name, verbs: sub.verbs, kind: { ...gv, kind: sub.kind } }];
        }),
      ),
      minor,
      storage: storages.get(STORED_AS[name] ?? name)!,
    };
  });
}

function storageOf({ group, version, apiVersion, kind, plural, namespaced }: BuiltinResource): StorageResource {
  const prefix = builtinPrefix(group, plural);
  return { group, version, apiVersion, resource: plural, kind, namespaced, prefix, custom: false };
}
