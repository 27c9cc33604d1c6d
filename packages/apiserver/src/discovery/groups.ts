// The table of kinds by group and version, in the order clients prefer: groups as they were added, stable versions before beta before alpha.

import type { KindTable } from "../kinds/kind-table.ts";
import type { ServedResource } from "../kinds/resource.ts";

export interface ServedGroup {
  readonly group: string;
  /** The preferred one first. */
  readonly versions: readonly ServedVersion[];
}

export interface ServedVersion {
  readonly version: string;
  readonly resources: readonly ServedResource[];
}

export function servedGroups(kinds: KindTable): readonly ServedGroup[] {
  const groups = new Map<string, Map<string, ServedResource[]>>();
  for (const resource of kinds.all()) {
    let versions = groups.get(resource.group);
    if (versions === undefined) groups.set(resource.group, (versions = new Map()));
    const resources = versions.get(resource.version);
    if (resources === undefined) versions.set(resource.version, [resource]);
    else resources.push(resource);
  }
  return [...groups].map(([group, versions]) => ({
    group,
    versions: [...versions]
      .map(([version, resources]) => ({ version, resources: [...resources].sort(byName) }))
      .sort((a, b) => compareVersions(a.version, b.version)),
  }));
}

const byName = (a: ServedResource, b: ServedResource): number =>
  a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : 0;

/** Kubernetes' order: v10 before v2 before v1beta3 before v1alpha1 before anything else, which sorts by name. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  if (left === undefined || right === undefined) {
    if (left !== undefined) return -1;
    if (right !== undefined) return 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  for (let i = 0; i < 3; i++) if (left[i] !== right[i]) return right[i]! - left[i]!;
  return 0;
}

function rankOf(version: string): readonly number[] | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return undefined;
  const [, major, stage, minor] = match;
  return [stage === undefined ? 2 : stage === "beta" ? 1 : 0, Number(major), Number(minor ?? 0)];
}
