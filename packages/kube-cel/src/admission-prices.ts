// Kubernetes' own prices of functions. Rules of definitions were always charged by them; policies and match conditions only since
// 1.32, when StrictCostEnforcementForVAP and StrictCostEnforcementForWebhooks were turned on. Before, calls cost what cel-go charges.

import type { Library, Overload } from "@celadon/cel";
import { fixed } from "@celadon/cel/cost";
import { stringsLibrary } from "@celadon/cel/lib";
import { isBefore, type Minor } from "@celadon/kube/versions";

const PRICED: Minor = "1.32";

/** Whether a server charges expressions of policies and match conditions by Kubernetes' prices. */
export function pricesAdmission(server: Minor): boolean {
  return !isBefore(server, PRICED);
}

/** The library at cel-go's prices: its own libraries have some, a function that is not cel-go's costs 1. */
export function withoutPrices(library: Library): Library {
  if (library.costBy !== "function") return library;
  if (library.name === "cel.lib.ext.strings") return stringsLibrary(library.version);
  const overloads = library.overloads.map(atOne);
  const { older, costBy: _, ...rest } = library;
  return { ...rest, overloads, ...(older && { older: older.map(atOne) }) };
}

function atOne({ nameCost: _, ...row }: Overload): Overload {
  return { ...row, cost: fixed(1) };
}
