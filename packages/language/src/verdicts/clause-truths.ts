// The result of each clause of a resource for an object, by the place of the clause: the worst over the values it was
// evaluated on.

import type { KubeObject } from "@celadon/kube";
import type { SimulatedCluster } from "@celadon/simulator";
import { clauseKey, clauseResults, hasClauses } from "./clauses.ts";
import type { ObjectVerdict } from "./review-all.ts";
import { gravest, type Truth } from "./truths.ts";

export type ClauseTruths = ReadonlyMap<string, Truth>;

/** By verdict, which is replaced when the object or the policies change, and by resource, for the same reason. */
const KNOWN = new WeakMap<ObjectVerdict, WeakMap<KubeObject, ClauseTruths>>();

/** Empty where the resource is not about the object. */
export async function clauseTruths(
  simulated: SimulatedCluster,
  resource: KubeObject,
  verdict: ObjectVerdict,
): Promise<ClauseTruths> {
  let known = KNOWN.get(verdict);
  if (known === undefined) KNOWN.set(verdict, (known = new WeakMap()));
  let truths = known.get(resource);
  if (truths === undefined) {
    truths = await truthsNow(simulated, resource, verdict);
    known.set(resource, truths);
  }
  return truths;
}

async function truthsNow(
  simulated: SimulatedCluster,
  resource: KubeObject,
  verdict: ObjectVerdict,
): Promise<ClauseTruths> {
  const truths = new Map<string, Truth>();
  for (const { path, truth } of await clauseResults(simulated, resource, verdict)) {
    const key = clauseKey(path);
    truths.set(key, gravest(truths.get(key), truth));
  }
  return truths;
}

/** The truths of every object that a resource is about. */
export type TruthTable = ReadonlyMap<ObjectVerdict, ClauseTruths>;

export async function truthTable(
  simulated: SimulatedCluster,
  resource: KubeObject,
  verdicts: readonly ObjectVerdict[],
): Promise<TruthTable> {
  const table = new Map<ObjectVerdict, ClauseTruths>();
  if (!hasClauses(resource)) return table;
  for (const verdict of verdicts) {
    const truths = await clauseTruths(simulated, resource, verdict);
    if (truths.size > 0) table.set(verdict, truths);
  }
  return table;
}
