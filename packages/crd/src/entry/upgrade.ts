// @celadon/crd/upgrade: what a changed definition changes, and which stored objects it would reject or prune.

export type { SchemaCosts } from "../upgrade/compare-costs.ts";
export {
  compareDefinitions,
  type DefinitionComparison,
  type VersionComparison,
} from "../upgrade/compare-definitions.ts";
export type { RuleChange } from "../upgrade/compare-rules.ts";
export type { SchemaChange } from "../upgrade/compare-schemas.ts";
export type { VersionChange } from "../upgrade/compare-versions.ts";
export { checkUpgrade, type ObjectUpgrade, type UpgradeOptions, type UpgradeReport } from "../upgrade.ts";
