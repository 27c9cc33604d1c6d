// Two states of a definition side by side: versions, and of each version of both its schema, rules and costs. A removed version is compared
// with the one in which its objects are now read.

import type { CustomResourceDefinition } from "../definition/definition.ts";
import type { RuleOptions } from "../rules/compile-rules.ts";
import { compareCosts, type SchemaCosts } from "./compare-costs.ts";
import { compareRules, type RuleChange } from "./compare-rules.ts";
import { compareSchemas, type SchemaChange } from "./compare-schemas.ts";
import { compareVersions, type VersionChange } from "./compare-versions.ts";

/** The differences between two definitions. */
export interface DefinitionComparison {
  readonly versions: readonly VersionChange[];
  /** The schemas of every version of the old definition. */
  readonly schemas: readonly VersionComparison[];
}

/** The differences between two versions. */
export interface VersionComparison {
  readonly version: string;
  /** The version it is compared with where that is another one. */
  readonly with?: string;
  readonly changes: readonly SchemaChange[];
  readonly rules: readonly RuleChange[];
  readonly costs: SchemaCosts;
}

/** Both as `readDefinition` gives them. */
export function compareDefinitions(
  was: CustomResourceDefinition,
  now: CustomResourceDefinition,
  options: RuleOptions = {},
): DefinitionComparison {
  const next = now.spec.versions ?? [];
  const storage = next.find((version) => version.storage);
  const schemas = (was.spec.versions ?? []).flatMap((version): VersionComparison[] => {
    const same = next.find(({ name }) => name === version.name);
    const other = same ?? storage;
    if (other === undefined) return [];
    const [before, after] = [version.schema?.openAPIV3Schema, other.schema?.openAPIV3Schema];
    return [
      {
        version: version.name ?? "",
        ...(same === undefined && { with: other.name ?? "" }),
        changes: compareSchemas(before ?? {}, after ?? {}),
        rules: compareRules(before, after, options),
        costs: compareCosts(before, after, options),
      },
    ];
  });
  return { versions: compareVersions(was, now), schemas };
}
