// The policies of two simulated clusters that a change can reach for a request, and those among them that have to be evaluated to know the
// verdicts of all. Requests of the same kind have the same candidates, as the same list: results for a pair of lists are cached with them.

import type { PolicyEntry } from "@celadon/admission";
import type { CompiledPolicy } from "@celadon/admission/steps";

type Entries = readonly PolicyEntry[];

/** The number of requests that a policy concerned in either simulated cluster. Only of policies that a change can reach. */
export interface PolicyMatches {
  readonly policy: string;
  readonly matched: ReachCount;
  readonly failed: ReachCount;
}

/** A number in the old simulated cluster and in the new one. */
export interface ReachCount {
  was: number;
  now: number;
}

export interface ReachedPolicies {
  readonly before: Entries;
  readonly after: Entries;
  /** All of those before, then those after that changed in more than words. */
  readonly evaluated: Entries;
  /** For each policy after, the place in `evaluated` of the one that decides the same. */
  readonly placesAfter: readonly number[];
  /** Places of policies before that stand for those after which have other words: only as long as they do not deny. */
  readonly reworded: readonly number[];
  /** The counts of requests for each policy, before and after. */
  readonly countsBefore: readonly PolicyMatches[];
  readonly countsAfter: readonly PolicyMatches[];
}

export class ReachedPairs {
  readonly #reached: ReadonlyMap<string, PolicyMatches>;
  readonly #reworded: ReadonlySet<CompiledPolicy>;
  readonly #known = new WeakMap<Entries, WeakMap<Entries, ReachedPolicies>>();

  /** `reached` has them by name; `reworded` are policies of the new simulated cluster. */
  constructor(reached: ReadonlyMap<string, PolicyMatches>, reworded: ReadonlySet<CompiledPolicy>) {
    this.#reached = reached;
    this.#reworded = reworded;
  }

  of(before: Entries, after: Entries): ReachedPolicies {
    let byAfter = this.#known.get(before);
    if (byAfter === undefined) this.#known.set(before, (byAfter = new WeakMap()));
    let pair = byAfter.get(after);
    if (pair === undefined) byAfter.set(after, (pair = this.#pair(this.#only(before), this.#only(after))));
    return pair;
  }

  #only(entries: Entries): Entries {
    return entries.filter(({ policy }) => this.#reached.has(policy.name));
  }

  #pair(before: Entries, after: Entries): ReachedPolicies {
    const places = new Map(before.map(({ policy }, place) => [policy.name, place]));
    const evaluated = [...before];
    const reworded: number[] = [];
    const placesAfter = after.map((entry) => {
      const place = this.#reworded.has(entry.policy) ? places.get(entry.policy.name) : undefined;
      if (place === undefined) return evaluated.push(entry) - 1;
      reworded.push(place);
      return place;
    });
    const countsOf = ({ policy }: PolicyEntry): PolicyMatches => this.#reached.get(policy.name)!;
    const countsBefore = before.map(countsOf);
    return { before, after, evaluated, placesAfter, reworded, countsBefore, countsAfter: after.map(countsOf) };
  }
}
