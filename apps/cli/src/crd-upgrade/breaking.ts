// Changes of a definition that some client may mind, whatever objects exist now: something that was valid, served or kept no longer is.

import type { DefinitionUpgrade } from "./upgrades.ts";

/** As sentences; none for a definition that only became wider. */
export function breakingChanges({ change, comparison }: DefinitionUpgrade): readonly string[] {
  if (change === "removed") return ["the CRD is removed, and its objects with it"];
  const versions = comparison.versions.flatMap(({ name, change: what }) => {
    if (what === "removed") return [`version ${name} is removed`];
    return what === "unserved" ? [`version ${name} is no longer served`] : [];
  });
  const schemas = comparison.schemas.flatMap(({ version, changes, rules }) => [
    ...changes.flatMap(({ field, keyword, now, effect }) => {
      const place = `${version}: ${field === "" ? "the object" : field}`;
      if (effect === "pruned") return [`${place} is removed, so its values are pruned`];
      if (effect !== "tighter") return [];
      return [keyword === "required" && now === true ? `${place} is required` : `${place} has a tighter ${keyword}`];
    }),
    ...rules.flatMap(({ field, change: what, now }) =>
      what === "removed" || (what === "changed" && now === undefined)
        ? []
        : [`${version}: ${field === "" ? "the object" : field} has a ${what === "added" ? "new" : "changed"} rule`],
    ),
  ]);
  return [...versions, ...new Set(schemas)];
}
