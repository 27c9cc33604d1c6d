// The same library with other costs: hosts have cost models of their own (Kubernetes prices string functions that upstream
// counts as 1), while signatures and behaviour stay one table.

import type { CostFormula } from "../cost/formula.ts";
import type { Library, Overload } from "./library.ts";

/**
 * Replaces costs by overload id or, where no id is named, by function name. A name that the library does not have is a
 * mistake in the host's table and throws.
 */
export function withCosts(library: Library, costs: Readonly<Record<string, CostFormula>>): Library {
  const unused = new Set(Object.keys(costs));
  const find = (name: string): CostFormula | undefined => (Object.hasOwn(costs, name) ? costs[name] : undefined);
  const priced = (row: Overload): Overload => {
    const byId = find(row.id);
    const byName = find(row.name);
    if (byId !== undefined) unused.delete(row.id);
    if (byName !== undefined) unused.delete(row.name);
    const cost = byId ?? byName;
    return cost === undefined ? row : { ...row, cost };
  };
  const overloads = library.overloads.map(priced);
  const older = library.older?.map(priced);
  for (const name of unused) throw new Error(`library ${library.name} has no function or overload '${name}'`);
  return { ...library, overloads, ...(older && { older }) };
}
