// The result of each clause of a resource for an object, by the place of the clause: the worst over the values it was
// evaluated on.

import type { KubeObject } from "@celadon/kube";
import type { World } from "@celadon/simulator";
import { clauseKey, clauseResults, hasClauses } from "./clauses.ts";
import type { Verdict } from "./review-all.ts";
import { type Truth, worse } from "./truths.ts";

export type ClauseTruths = ReadonlyMap<string, Truth>;

/** By verdict, which is replaced when the object or the policies change, and by resource, for the same reason. */
const KNOWN = new WeakMap<Verdict, WeakMap<KubeObject, ClauseTruths>>();

/** Empty where the resource is not about the object. */
export async function clauseTruths(world: World, resource: KubeObject, verdict: Verdict): Promise<ClauseTruths> {
  let known = KNOWN.get(verdict);
  if (known === undefined) KNOWN.set(verdict, (known = new WeakMap()));
  let truths = known.get(resource);
  if (truths === undefined) {
    truths = await truthsNow(world, resource, verdict);
    known.set(resource, truths);
  }
  return truths;
}

async function truthsNow(world: World, resource: KubeObject, verdict: Verdict): Promise<ClauseTruths> {
  const truths = new Map<string, Truth>();
  for (const { path, truth } of await clauseResults(world, resource, verdict)) {
    const key = clauseKey(path);
    truths.set(key, worse(truths.get(key), truth));
  }
  return truths;
}

/** The truths of every object that a resource is about. */
export type TruthTable = ReadonlyMap<Verdict, ClauseTruths>;

export async function truthTable(
  world: World,
  resource: KubeObject,
  verdicts: readonly Verdict[],
): Promise<TruthTable> {
  const table = new Map<Verdict, ClauseTruths>();
  if (!hasClauses(resource)) return table;
  for (const verdict of verdicts) {
    const truths = await clauseTruths(world, resource, verdict);
    if (truths.size > 0) table.set(verdict, truths);
  }
  return table;
}
