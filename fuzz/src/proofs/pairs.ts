// Pairs of real policies and mutants of them: how they are said to differ, and requests that must not say otherwise.

import { compareSets, type Relation, type SearchLimits } from "@celadon/prove";
import { SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { applyEdit, mutantsOf } from "@celadon/testing/mutate";
import type { Random } from "../random.ts";
import { isAccepted, requestsFor, reviewed } from "./requests.ts";

export interface PairAnswer {
  /** The mutant. */
  readonly id: string;
  readonly relation: Relation;
  /** Milliseconds. */
  readonly time: number;
  readonly because: readonly string[];
  /** Requests on which a proof was tried. */
  readonly requests: number;
  /** Requests that refute a proof. */
  readonly wrong: readonly unknown[];
}

const NO_TEXTS = { messages: false, annotations: false };

/** A mutant of one policy or binding of a group; undefined if it has none, or a server rejects it. */
export async function comparePair(
  group: readonly Manifest[],
  random: Random,
  limits: SearchLimits,
  requests: number,
): Promise<PairAnswer | undefined> {
  const manifest = random.pick(group.filter(({ object }) => object.kind !== "CustomResourceDefinition"));
  const { mutants } = mutantsOf(manifest, NO_TEXTS);
  if (mutants.length === 0) return undefined;
  const { id, edit } = random.pick(mutants);
  const changed = applyEdit(manifest.object, edit);
  const rest = group.filter((other) => other !== manifest).map(({ object }) => object);
  const old = SimulatedCluster.of([...rest, manifest.object]);
  const next = SimulatedCluster.of([...rest, ...(changed ? [changed] : [])]);
  if (changed !== undefined && next.inForce(changed) === undefined) return undefined;
  const start = performance.now();
  const { relation, newlyDenied, newlyAllowed } = await compareSets(old, next, { limits });
  const time = performance.now() - start;
  const because = [newlyDenied, newlyAllowed].flatMap((answer) => (answer.is === "unknown" ? answer.because : []));
  const claims = { denied: newlyDenied.is === "proved", allowed: newlyAllowed.is === "proved" };
  const { tried, wrong } = await attacked(old, next, claims, requests, random.below(2 ** 30));
  return { id, relation, time, because, requests: tried, wrong };
}

async function attacked(
  old: SimulatedCluster,
  next: SimulatedCluster,
  claims: { readonly denied: boolean; readonly allowed: boolean },
  requests: number,
  seed: number,
): Promise<{ readonly tried: number; readonly wrong: readonly unknown[] }> {
  const wrong: unknown[] = [];
  let tried = 0;
  // A policy without a binding is compared as bound to everything, which these clusters do not do.
  if (old.manifests("binding").length === 0 || next.manifests("binding").length === 0) return { tried, wrong };
  if (!claims.denied && !claims.allowed) return { tried, wrong };
  const queues = [requestsFor(old, seed), requestsFor(next, seed + 1)];
  while (tried < requests) {
    const before = tried;
    for (const queue of queues) {
      const made = queue.next();
      if (made.done) continue;
      tried++;
      const [one, other] = [await reviewed(old, made.value), await reviewed(next, made.value)];
      if (!isAccepted(one)) continue;
      const isDenied = one.policies.allowed && !other.policies.allowed;
      const isAllowed = !one.policies.allowed && other.policies.allowed;
      if ((claims.denied && isDenied) || (claims.allowed && isAllowed)) wrong.push(made.value);
    }
    if (tried === before || wrong.length > 0) break;
  }
  return { tried, wrong };
}
