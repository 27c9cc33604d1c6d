// The built-in table as served resources.

import { apiVersionOf, type GroupVersionKind } from "@celadon/kube";
import { BUILTIN_KINDS, type BuiltinRow, STORED_AS, SUBRESOURCES } from "./builtin-table.ts";
import type { ServedResource, ServedSubresource, StorageResource } from "./resource.ts";

const VERBS: Readonly<Record<string, string>> = {
  c: "create",
  d: "delete",
  D: "deletecollection",
  g: "get",
  l: "list",
  p: "patch",
  u: "update",
  w: "watch",
};

/** Every built-in resource, in the order of the table. */
export function builtinResources(): readonly ServedResource[] {
  const storages = new Map<string, StorageResource>();
  for (const row of BUILTIN_KINDS) storages.set(`${row[0]}/${row[1]}`, storageOf(row));
  return BUILTIN_KINDS.map((row) => {
    const [apiVersion, kind, plural, scope, verbs, shortNames = "", categories = "", subresources = ""] = row;
    const name = `${apiVersion}/${kind}`;
    const gvk = gvkOf(name);
    return {
      ...gvk,
      apiVersion,
      resource: plural,
      singular: kind.toLowerCase(),
      listKind: `${kind}List`,
      namespaced: scope === "ns",
      verbs: verbsOf(verbs === "*" ? "cdDglpuw" : verbs),
      shortNames: words(shortNames),
      categories: words(categories),
      subresources: new Map(words(subresources).map((sub) => [sub, subresourceOf(plural, sub, gvk)])),
      storage: storages.get(STORED_AS[name] ?? name)!,
    };
  });
}

function storageOf([apiVersion, kind, plural, scope]: BuiltinRow): StorageResource {
  const { group, version } = gvkOf(`${apiVersion}/${kind}`);
  const prefix = `/registry/${group === "" ? "core" : group}/${plural}/`;
  return { group, version, apiVersion, resource: plural, kind, namespaced: scope === "ns", prefix, custom: false };
}

function subresourceOf(plural: string, name: string, owner: GroupVersionKind): ServedSubresource {
  const row = SUBRESOURCES[`${plural}/${name}`];
  return { name, verbs: verbsOf(row?.verbs ?? "gpu"), kind: row === undefined ? owner : gvkOf(row.kind) };
}

/** Of `apps/v1/Deployment` or `v1/Pod`. */
function gvkOf(text: string): GroupVersionKind {
  const parts = text.split("/");
  const [group, version, kind] = parts.length === 2 ? ["", ...parts] : parts;
  return { group: group!, version: version!, kind: kind! };
}

/** `v1/Pod`. */
export function kindName(gvk: GroupVersionKind): string {
  return `${apiVersionOf(gvk)}/${gvk.kind}`;
}

const words = (text: string): readonly string[] => (text === "" ? [] : text.split(" "));
const verbsOf = (letters: string): readonly string[] => [...letters].map((letter) => VERBS[letter]!).sort();
