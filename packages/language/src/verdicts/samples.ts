// The objects of a workspace that a clause or an expression is about: results of clauses for all, and samples for the values of one.

import { valueAt } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { identityOf, type SimulatedCluster } from "@celadon/simulator";
import type { ExpressionAt } from "../cursor/expression-at.ts";
import type { File } from "../document/file.ts";
import { type TruthTable, truthTable } from "./clause-truths.ts";
import { hasClauses, isDeciding } from "./clauses.ts";
import type { ObjectVerdict } from "./review-all.ts";
import { isSampleOf } from "./sample-value.ts";

/** Objects that are tried until an expression is evaluated for one. */
const SAMPLES = 5;

/** Objects that an expression is evaluated for, or may be: the pinned one, or the first few. */
export async function samplesFor(
  { simulated, pinned }: { readonly simulated: SimulatedCluster; readonly pinned: string | undefined },
  { object, path }: ExpressionAt,
  verdicts: readonly ObjectVerdict[],
): Promise<readonly ObjectVerdict[]> {
  const key = path.join("/");
  const truths = isDeciding(path) ? await truthTable(simulated, object, verdicts) : undefined;
  const about = verdicts.filter((verdict) =>
    truths === undefined ? isSampleOf(object, verdict) : truths.get(verdict)?.has(key),
  );
  const chosen = about.find(({ manifest }) => identityOf(manifest.object) === pinned);
  return chosen === undefined ? about.slice(0, SAMPLES) : [chosen];
}

/** The results of the clauses of a file for the objects, by resource, unless the verdicts have them already. */
export async function truthsOf(
  simulated: SimulatedCluster,
  file: File,
  verdicts: readonly ObjectVerdict[],
): Promise<ReadonlyMap<KubeObject, TruthTable>> {
  const truths = new Map<KubeObject, TruthTable>();
  for (const { resource } of file.resources()) {
    if (needsTruths(resource.object))
      truths.set(resource.object, await truthTable(simulated, resource.object, verdicts));
  }
  return truths;
}

/** The results of validations are in the verdicts. */
function needsTruths(object: KubeObject): boolean {
  const isKnown =
    object.kind === "ValidatingAdmissionPolicy" && valueAt(object, ["spec", "matchConditions"]) === undefined;
  return hasClauses(object) && !isKnown;
}
