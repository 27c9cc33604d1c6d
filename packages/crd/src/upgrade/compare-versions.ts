// Versions that come, go, stop being served, or are stored now.

import type { CustomResourceDefinition, DefinitionVersion } from "../definition/definition.ts";

/** A version that was added, removed, or is served or stored otherwise. */
export interface VersionChange {
  readonly name: string;
  readonly change: "added" | "removed" | "served" | "unserved" | "deprecated" | "storage" | "notStorage";
}

/** Compares the versions of two definitions. */
export function compareVersions(
  was: CustomResourceDefinition,
  now: CustomResourceDefinition,
): readonly VersionChange[] {
  const before = byName(was);
  const after = byName(now);
  const changes: VersionChange[] = [];
  for (const [name, old] of before) {
    const next = after.get(name);
    if (next === undefined) {
      changes.push({ name, change: "removed" });
      continue;
    }
    const say = (test: boolean, change: VersionChange["change"]): void => {
      if (test) changes.push({ name, change });
    };
    say(old.served === true && next.served !== true, "unserved");
    say(old.served !== true && next.served === true, "served");
    say(old.deprecated !== true && next.deprecated === true, "deprecated");
    say(old.storage === true && next.storage !== true, "notStorage");
    say(old.storage !== true && next.storage === true, "storage");
  }
  for (const [name, next] of after) {
    if (before.has(name)) continue;
    changes.push({ name, change: "added" });
    if (next.storage === true) changes.push({ name, change: "storage" });
  }
  return changes;
}

function byName({ spec }: CustomResourceDefinition): Map<string, DefinitionVersion> {
  return new Map((spec.versions ?? []).map((version) => [version.name ?? "", version]));
}
