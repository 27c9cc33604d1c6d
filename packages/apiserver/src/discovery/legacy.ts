// Discovery as it was before it came in one piece: versions, groups, and the resources of each group and version.

import { createHash } from "node:crypto";
import type { GroupVersionKind } from "@celadon/kube";
import type { KindTable } from "../kinds/kind-table.ts";
import type { ServedResource } from "../kinds/resource.ts";
import { type ServedGroup, servedGroups } from "./groups.ts";

export function apiVersions(serverAddress: string): unknown {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

export function apiGroupList(kinds: KindTable): unknown {
  const groups = servedGroups(kinds).filter(({ group }) => group !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(groupEntry) };
}

export function apiGroup(kinds: KindTable, name: string): unknown {
  const group = servedGroups(kinds).find((servedGroup) => servedGroup.group === name);
  return group && { kind: "APIGroup", apiVersion: "v1", ...groupEntry(group) };
}

function groupEntry({ group, versions }: ServedGroup): { readonly name: string } {
  const entries = versions.map(({ version }) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: entries, preferredVersion: entries[0] } as { readonly name: string };
}

export function apiResourceList(kinds: KindTable, group: string, version: string): unknown {
  const found = servedGroups(kinds)
    .find((servedGroup) => servedGroup.group === group)
    ?.versions.find((servedVersion) => servedVersion.version === version);
  if (found === undefined) return undefined;
  const groupVersion = group === "" ? version : `${group}/${version}`;
  const resources = found.resources.flatMap(resourceEntries);
  // The core group's list has no version of its own.
  return { kind: "APIResourceList", ...(group !== "" && { apiVersion: "v1" }), groupVersion, resources };
}

function resourceEntries(resource: ServedResource): unknown[] {
  const { namespaced } = resource;
  const own = {
    name: resource.resource,
    singularName: resource.singular,
    namespaced,
    kind: resource.kind,
    verbs: resource.verbs,
    ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
    ...(resource.categories.length > 0 && { categories: resource.categories }),
    ...(resource.verbs.includes("list") &&
      resource.kind !== "ComponentStatus" && { storageVersionHash: storageHash(resource) }),
  };
  const below = [...resource.subresources.values()].map(({ name, kind, verbs }) => ({
    name: `${resource.resource}/${name}`,
    singularName: "",
    namespaced,
    ...foreign(kind, resource),
    kind: kind.kind,
    verbs,
  }));
  return [own, ...below];
}

function foreign(kind: GroupVersionKind, { group, version }: ServedResource): object {
  return kind.group === group && kind.version === version ? {} : { group: kind.group, version: kind.version };
}

/** Kinds that kube-apiserver stores in an older version; its hash depends on that, but this server stores another. */
const STORED_VERSIONS: Readonly<Record<string, string>> = {
  CustomResourceDefinition: "v1beta1",
  MutatingAdmissionPolicy: "v1beta1",
  MutatingAdmissionPolicyBinding: "v1beta1",
};

/** Tells clients whether two resources hold the same objects. */
function storageHash({ storage: { group, version, kind } }: ServedResource): string {
  const name = `${group}/${STORED_VERSIONS[kind] ?? version}/${kind}`;
  return createHash("sha256").update(name).digest().subarray(0, 8).toString("base64");
}
