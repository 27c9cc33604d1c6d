// The resources a definition adds: one for each served version.

import type { CustomResourceDefinition, DefinitionNames, DefinitionVersion } from "@celadon/crd";
import type { ServedResource, ServedSubresource, StorageResource } from "../kinds/resource.ts";
import { customPrefix } from "../kinds/storage-prefix.ts";

const VERBS = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const CHANGE = ["get", "patch", "update"];
const SCALE = { group: "autoscaling", version: "v1", kind: "Scale" };

export function customResources(
  { spec }: CustomResourceDefinition,
  names: DefinitionNames,
): readonly { readonly resource: ServedResource; readonly version: DefinitionVersion }[] {
  const { group = "", scope, versions = [] } = spec;
  const { plural = "", singular, kind = "", listKind, shortNames = [], categories = [] } = names;
  const namespaced = scope === "Namespaced";
  const stored = versions.find(({ storage }) => storage)?.name ?? "";
  const storage: StorageResource = {
    group,
    version: stored,
    apiVersion: `${group}/${stored}`,
    resource: plural,
    kind,
    namespaced,
    prefix: customPrefix(group, plural),
    custom: true,
  };
  return versions
    .filter(({ served }) => served)
    .map((version) => ({
      version,
      resource: {
        group,
        version: version.name ?? "",
        apiVersion: `${group}/${version.name ?? ""}`,
        resource: plural,
        singular: singular ?? kind.toLowerCase(),
        kind,
        listKind: listKind ?? `${kind}List`,
        namespaced,
        verbs: VERBS,
        shortNames,
        categories,
        subresources: new Map(subresourcesOf(group, kind, version)),
        storage,
      },
    }));
}

function subresourcesOf(
  group: string,
  kind: string,
  { name = "", subresources = {} }: DefinitionVersion,
): [string, ServedSubresource][] {
  const list: [string, ServedSubresource][] = [];
  if (subresources.status !== undefined) {
    list.push(["status", { name: "status", verbs: CHANGE, kind: { group, version: name, kind } }]);
  }
  if (subresources.scale !== undefined) list.push(["scale", { name: "scale", verbs: CHANGE, kind: SCALE }]);
  return list;
}
