// Two simulated clusters over the same objects. Each request is first evaluated by the policies that a change can affect, in both
// simulated clusters; only if their results differ is the whole chain run, because the answer of a server depends on all of it.

import {
  type AdmissionReport,
  type AdmissionRequest,
  admitEntries,
  hasApplied,
  type PolicyEntry,
  type PolicyOutcome,
} from "@celadon/admission";
import { applySilently, decide, evaluateEntries, report } from "@celadon/admission/steps";
import { nameOf } from "@celadon/kube";
import type { Manifest } from "../manifest/manifest.ts";
import type { Outcome } from "../outcome/outcome.ts";
import { type IntendedRequest, requestOf } from "../request/intended-request.ts";
import { reviewStaged } from "../review/review.ts";
import { writtenBy } from "../review/written.ts";
import { SimulatedCluster, type SimulatedClusterOptions } from "../simulated/simulated-cluster.ts";
import { stageOf } from "../stages/object-stage.ts";
import { decodedOnce } from "../stages/stage.ts";
import { pathOf } from "../stages/write-hosts.ts";
import { changeOf, type OutcomeChange } from "./change-of.ts";
import { Reach } from "./reach.ts";
import { type PolicyMatches, type ReachCount, ReachedPairs, type ReachedPolicies } from "./reached-policies.ts";
import { type ResourceChange, resourceChanges } from "./resource-changes.ts";
import { denies, rewordedPolicies } from "./reworded.ts";

/** The manifests of two simulated clusters: the shared ones, and those of each alone. */
export interface ClusterPairSets {
  /** In both simulated clusters, unless a set has the same object. */
  readonly shared: readonly Manifest[];
  readonly old: readonly Manifest[];
  readonly next: readonly Manifest[];
}

/** The object or recorded request to compare. */
export type PairAsk = { readonly ask: IntendedRequest } | { readonly request: AdmissionRequest };

/** A request in two simulated clusters, and how the results differ. */
export interface Compared {
  /** The request as it was sent: without the fields that a server fills in. */
  readonly request: AdmissionRequest;
  /** Undefined when the answers are the same. */
  readonly change?: OutcomeChange;
}

/** Two simulated clusters that get the same requests. */
export class ClusterPair {
  readonly old: SimulatedCluster;
  readonly next: SimulatedCluster;
  readonly changes: readonly ResourceChange[];
  readonly #reach: Reach;
  readonly #reachedPolicies: ReachedPairs;
  readonly #matches = new Map<string, PolicyMatches>();

  constructor({ shared, old, next }: ClusterPairSets, options: SimulatedClusterOptions = {}) {
    const before = SimulatedCluster.of([...shared, ...old], options);
    const changes = resourceChanges(old, next);
    this.old = before;
    // Objects that are the same in both sets stay the same, so that everything made of them is shared.
    this.next = before.with({
      put: changes.flatMap(({ now }) => (now ? [now] : [])),
      remove: changes.flatMap(({ was, now }) => (was && !now ? [was.object] : [])),
    });
    this.changes = changes;
    this.#reach = new Reach(changes, before, this.next);
    const reworded = rewordedPolicies(before.policies, this.next.policies);
    for (const policy of [...this.#reach.policies].sort()) {
      this.#matches.set(policy, { policy, matched: { was: 0, now: 0 }, failed: { was: 0, now: 0 } });
    }
    this.#reachedPolicies = new ReachedPairs(this.#matches, reworded);
  }

  get matches(): readonly PolicyMatches[] {
    return [...this.#matches.values()].filter(
      ({ policy }) => this.#policy("old", policy) || this.#policy("next", policy),
    );
  }

  #policy(simulated: "old" | "next", name: string): boolean {
    return this[simulated].policies.policy(name) !== undefined;
  }

  async compare(asked: PairAsk): Promise<Compared> {
    const { old } = this;
    const request = "ask" in asked ? requestOf(asked.ask, old.resources).request : asked.request;
    if (this.#reach.reachesWhole(request)) return this.#compareWhole(asked, request, true);
    const both = this.#reached(request);
    if (both.before.length + both.after.length === 0) return { request };
    // The object's definition is the same in both.
    const seen = "ask" in asked ? await staged(old, request) : request;
    if (seen === undefined) return { request };
    const isSame = (await this.#sameSilence(seen, both)) ?? (await this.#sameAnswer(seen, both));
    return isSame ? { request } : this.#compareWhole(asked, request, false);
  }

  /** Whether the same policies apply, where none of them has anything to say; otherwise undefined, and nothing counted. */
  async #sameSilence(request: AdmissionRequest, both: ReachedPolicies): Promise<boolean | undefined> {
    if (!this.#reach.sameHosts) return undefined;
    const applied = await applySilently(request, both.evaluated, this.next.hosts);
    if (applied === undefined) return undefined;
    const { countsBefore, countsAfter, placesAfter } = both;
    // One after the other through both lists: the same policies have to apply, in the same order.
    let isSame = true;
    let next = 0;
    for (let i = 0; i < countsBefore.length; i++) {
      if (!applied[i]) continue;
      countsBefore[i]!.matched.was++;
      while (next < countsAfter.length && !applied[placesAfter[next]!]) next++;
      if (countsAfter[next++] !== countsBefore[i]) isSame = false;
    }
    for (let i = 0; i < countsAfter.length; i++) {
      if (!applied[placesAfter[i]!]) continue;
      countsAfter[i]!.matched.now++;
      if (i >= next) isSame = false;
    }
    return isSame;
  }

  async #sameAnswer(request: AdmissionRequest, both: ReachedPolicies): Promise<boolean> {
    const [was, now] = await this.#askBoth(request, both);
    const applied = [this.#count(was, "was"), this.#count(now, "now")] as const;
    return sameList(...applied) && sameReport(was, now);
  }

  /** In one go where that is the same: most of asking a few policies is making the request ready for them. */
  async #askBoth(
    request: AdmissionRequest,
    both: ReachedPolicies,
  ): Promise<readonly [AdmissionReport, AdmissionReport]> {
    const { old, next } = this;
    if (this.#reach.sameHosts) {
      const { policies, aborted } = await evaluateEntries(request, both.evaluated, next.hosts);
      if (aborted === undefined && !both.reworded.some((place) => denies(policies[place]!))) {
        const after = both.placesAfter.map((place) => policies[place]!);
        return [reportOf(request, policies.slice(0, both.before.length)), reportOf(request, after)];
      }
    }
    return [await admitEntries(request, both.before, old.hosts), await admitEntries(request, both.after, next.hosts)];
  }

  #reached(request: AdmissionRequest): ReachedPolicies {
    const candidates = ({ policies, resources }: SimulatedCluster): readonly PolicyEntry[] =>
      this.#reach.policies.size === 0 ? NO_ENTRIES : policies.candidates(request, resources);
    return this.#reachedPolicies.of(candidates(this.old), candidates(this.next));
  }

  async #compareWhole(asked: PairAsk, request: AdmissionRequest, counts: boolean): Promise<Compared> {
    const [was, now] = await this.#reviewBoth(asked);
    if (counts) {
      this.#count(was.policies, "was");
      this.#count(now.policies, "now");
    }
    const change = changeOf(was, now, (name) => this.#policy("old", name) && this.#policy("next", name));
    return { request, ...(change && { change }) };
  }

  async #reviewBoth(asked: PairAsk): Promise<readonly [Outcome, Outcome]> {
    const { old, next } = this;
    if (!("ask" in asked)) return [await old.reviewRequest(asked.request), await next.reviewRequest(asked.request)];
    if (!this.#reach.sameHosts || this.#reach.mutates)
      return [await old.review(asked.ask), await next.review(asked.ask)];
    // With the same definitions and no mutation, the object is read and validated the same.
    const built = requestOf(asked.ask, old.resources);
    const stage = decodedOnce(stageOf(old, built.request));
    return [await reviewStaged(old, built, stage), await reviewStaged(next, built, stage)];
  }

  /** The policies that had to do with it, by name. */
  #count({ verdicts, failures }: AdmissionReport, side: keyof ReachCount): readonly string[] {
    const applied: string[] = [];
    for (const outcome of verdicts.policies) {
      if (!hasApplied(outcome)) continue;
      const { name } = outcome.policy;
      applied.push(name);
      const matches = this.#matches.get(name);
      if (matches !== undefined) matches.matched[side]++;
    }
    for (const policy of failures.length === 0 ? [] : new Set(failures.map((failure) => failure.policy))) {
      const matches = this.#matches.get(policy);
      if (matches !== undefined) matches.failed[side]++;
    }
    return applied;
  }
}

/** The request as policies see it; undefined if none is evaluated, because the object cannot be read. */
async function staged(simulated: SimulatedCluster, request: AdmissionRequest): Promise<AdmissionRequest | undefined> {
  const stage = stageOf(simulated, request);
  const decoded = stage.decode();
  if (decoded.unreadable) return undefined;
  const stored = await stage.old();
  const writing = await stage.writing?.();
  const { object, oldObject } =
    writing === undefined || decoded.object === null
      ? { object: decoded.object, oldObject: stored }
      : await writtenBy(pathOf(request, writing.resource), writing, request, decoded.object, stored, true);
  // A request without a name gets the generated one, as in review.ts.
  return { ...request, name: request.name || nameOf(object), object, oldObject };
}

const NO_ENTRIES: readonly PolicyEntry[] = [];

function reportOf(request: AdmissionRequest, policies: readonly PolicyOutcome[]): AdmissionReport {
  return report(request, decide({ policies }), { policies });
}

/** Whether policies report the same; the report of a part of them has no order. */
function sameReport(a: AdmissionReport, b: AdmissionReport): boolean {
  return (
    sameList(a.warnings, b.warnings) &&
    (a.failures.length === 0 ? b.failures.length === 0 : saidOf(a) === saidOf(b)) &&
    sameAnnotations(a.auditAnnotations, b.auditAnnotations)
  );
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, i) => text === b[i]);

const saidOf = ({ failures }: AdmissionReport): string => JSON.stringify(failures);

function sameAnnotations(a: AdmissionReport["auditAnnotations"], b: AdmissionReport["auditAnnotations"]): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}
