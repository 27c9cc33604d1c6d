// Which policies had anything to say over a number of requests. One that never matched passes every test and guards nothing.

import { type AdmissionRequest, admitEntries, refusalText } from "@celadon/admission";
import { appliedOf, hasApplied } from "./applies.ts";
import type { Outcome } from "./outcome.ts";
import type { World } from "./world.ts";

export interface PolicyTally {
  readonly policy: string;
  /** Requests for which at least one binding was evaluated. */
  readonly matched: number;
  readonly denied: number;
  /** Why it did not match, most frequent first; only of policies that never did. */
  readonly refusals: readonly { readonly text: string; readonly count: number }[];
}

export class Tally {
  readonly #matched = new Map<string, number>();
  readonly #denied = new Map<string, number>();

  add({ policies }: Outcome): void {
    for (const outcome of policies.verdicts.policies) {
      if (hasApplied(outcome)) count(this.#matched, outcome.policy.name);
    }
    if (policies.failures.length === 0) return;
    for (const policy of new Set(policies.failures.map((failure) => failure.policy))) count(this.#denied, policy);
  }

  /** Every policy in force. `sample` are requests that those without a match are asked about once more, for their reasons. */
  async finish(world: World, sample: readonly AdmissionRequest[]): Promise<readonly PolicyTally[]> {
    const bound = new Set(world.policies.entries().map(({ policy }) => policy.name));
    const unbound = [...world.policies.policies()].filter(({ name }) => !bound.has(name));
    const reason = { text: refusalText({ by: "noBinding" }), count: sample.length };
    const tallies = unbound.map(
      ({ name }): PolicyTally => ({ policy: name, matched: 0, denied: 0, refusals: [reason] }),
    );
    for (const entry of world.policies.entries()) {
      const { name } = entry.policy;
      const matched = this.#matched.get(name) ?? 0;
      const refusals = new Map<string, number>();
      for (const request of matched === 0 ? sample : []) {
        const { verdicts } = await admitEntries(request, [entry], world.hosts);
        for (const { binding, text } of verdicts.policies.flatMap((outcome) => appliedOf(outcome).refusals)) {
          count(refusals, binding === undefined ? text : `binding '${binding}': ${text}`);
        }
      }
      tallies.push({
        policy: name,
        matched,
        denied: this.#denied.get(name) ?? 0,
        refusals: [...refusals].map(([text, times]) => ({ text, count: times })).sort((a, b) => b.count - a.count),
      });
    }
    return tallies;
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
