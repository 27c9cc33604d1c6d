// The policies that never matched over a number of requests. One that never matched passes every test and guards nothing.

import { type AdmissionRequest, admitEntries, hasApplied, type ResourceMapper, refusalText } from "@celadon/admission";
import { mutateEntries } from "@celadon/admission/mutating";
import { type CompiledMatch, nearMiss } from "@celadon/admission/steps";
import type { Outcome } from "../outcome/outcome.ts";
import type { SimulatedCluster } from "../simulated/simulated-cluster.ts";
import { type Applicability, appliedOf, type NotApplied } from "./applies.ts";
import type { ExplainedPolicyKind } from "./explain.ts";
import { mutatingApplied, mutatingCosts } from "./mutation-applies.ts";
import { validatingCost } from "./validating-cost.ts";

/** The number of requests that a policy matched, and the reasons that excluded the others. */
export interface PolicyTally {
  readonly kind: ExplainedPolicyKind;
  readonly policy: string;
  /** Requests for which at least one binding was evaluated. */
  readonly matched: number;
  readonly denied: number;
  /** Units of evaluation, over all requests and for the most expensive one. */
  readonly cost: { readonly total: number; readonly most: number };
  /** The reasons why it did not match, the closest first; only for policies that never did. */
  readonly refusals: readonly { readonly text: string; readonly count: number }[];
}

/** The counts of a policy while requests are added. */
interface Count {
  matched: number;
  denied: number;
  cost: { total: number; most: number };
}

type Counts = Map<string, Count>;

/** A policy in force. */
interface Named {
  readonly name: string;
}

type Constraints = { readonly name: string; readonly match: CompiledMatch | undefined };

/** A policy with bindings, and how to ask it why it does not apply. */
interface Candidate {
  readonly policy: Constraints;
  readonly bindings: readonly Constraints[];
  ask(request: AdmissionRequest): Promise<readonly Applicability[]>;
}

/** Counts what policies did over many requests. */
export class Tally {
  readonly #validating: Counts = new Map();
  readonly #mutating: Counts = new Map();

  add({ policies, mutated }: Outcome): void {
    for (const outcome of policies.verdicts.policies) {
      if (outcome.outcome === "refused") continue;
      const count = countOf(this.#validating, outcome.policy.name);
      if (hasApplied(outcome)) count.matched++;
      addCost(count, validatingCost(outcome));
    }
    if (policies.failures.length > 0) {
      for (const name of new Set(policies.failures.map(({ policy }) => policy)))
        countOf(this.#validating, name).denied++;
    }
    if (mutated.passes.length === 0) return;
    for (const [name, { applied }] of mutatingApplied(mutated)) if (applied) countOf(this.#mutating, name).matched++;
    for (const [name, cost] of mutatingCosts(mutated)) addCost(countOf(this.#mutating, name), cost);
    const failed = new Set(mutated.passes.flatMap((pass) => pass.policies.failures.map(({ policy }) => policy)));
    for (const name of failed) countOf(this.#mutating, name).denied++;
  }

  /**
   * Every policy in force. `sample` are requests on which those without a match are evaluated again, for their
   * reasons.
   */
  async finish(simulated: SimulatedCluster, sample: readonly AdmissionRequest[]): Promise<readonly PolicyTally[]> {
    const { policies, mutatingPolicies, hosts } = simulated;
    const validating = policies.entries().map(
      (entry): Candidate => ({
        ...entry,
        ask: async (request) => (await admitEntries(request, [entry], hosts)).verdicts.policies.map(appliedOf),
      }),
    );
    const mutating = mutatingPolicies.entries().map(
      (entry): Candidate => ({
        ...entry,
        ask: async (request) => {
          const report = await mutateEntries(request, [entry], hosts);
          return [...mutatingApplied({ passes: [{ round: 0, policies: report }] }).values()];
        },
      }),
    );
    const asked = { sample, mapper: hosts.resources };
    return [
      ...(await tallied("ValidatingAdmissionPolicy", [...policies.policies()], validating, this.#validating, asked)),
      ...(await tallied("MutatingAdmissionPolicy", [...mutatingPolicies.policies()], mutating, this.#mutating, asked)),
    ];
  }
}

interface Sample {
  readonly sample: readonly AdmissionRequest[];
  readonly mapper: ResourceMapper | undefined;
}

async function tallied(
  kind: ExplainedPolicyKind,
  policies: readonly Named[],
  bound: readonly Candidate[],
  counts: Counts,
  { sample, mapper }: Sample,
): Promise<readonly PolicyTally[]> {
  const names = new Set(bound.map(({ policy }) => policy.name));
  const reason = { text: refusalText({ by: "noBinding" }), count: sample.length };
  const tallies = policies.flatMap(({ name }): PolicyTally[] =>
    names.has(name) ? [] : [{ kind, policy: name, matched: 0, denied: 0, cost: NO_COUNT.cost, refusals: [reason] }],
  );
  for (const candidate of bound) {
    const { name } = candidate.policy;
    const { matched, denied, cost } = counts.get(name) ?? NO_COUNT;
    const misses = new Map<string, Miss>();
    for (const request of matched === 0 ? sample : []) {
      const answers = await candidate.ask(request);
      // The request ended before policies, as with an object that cannot be read.
      if (answers.some(({ applied }) => applied)) {
        misses.set(ENDED, { text: ENDED, count: (misses.get(ENDED)?.count ?? 0) + 1, closeness: Infinity });
      }
      for (const refused of answers.flatMap(({ refusals }) => refusals)) {
        const { text, closeness } = missOf(refused, candidate, request, mapper);
        const known = misses.get(text);
        const closest = Math.max(closeness, known?.closeness ?? closeness);
        misses.set(text, { text, count: (known?.count ?? 0) + 1, closeness: closest });
      }
    }
    tallies.push({
      kind,
      policy: name,
      matched,
      denied,
      cost,
      refusals: [...misses.values()]
        .sort((a, b) => b.closeness - a.closeness || b.count - a.count)
        .map(({ text, count: times }) => ({ text, count: times })),
    });
  }
  return tallies;
}

const ENDED = "the server rejects the objects that it matches before policies see them";

interface Miss {
  readonly text: string;
  readonly count: number;
  readonly closeness: number;
}

/** A binding is matched after the policy itself. */
function missOf(
  { binding, text, refusal }: NotApplied,
  { policy, bindings }: Candidate,
  request: AdmissionRequest,
  mapper: ResourceMapper | undefined,
): Omit<Miss, "count"> {
  const by = binding === undefined ? policy : bindings.find(({ name }) => name === binding);
  const near = refusal && nearMiss(by?.match, refusal, request, mapper);
  const [reason, closeness] = near === undefined ? [text, 0] : [refusalText(near.refusal), near.closeness];
  return binding === undefined
    ? { text: reason, closeness }
    : { text: `binding '${binding}': ${reason}`, closeness: BINDING + closeness };
}

const BINDING = 10;

const NO_COUNT: Readonly<Count> = { matched: 0, denied: 0, cost: { total: 0, most: 0 } };

function countOf(counts: Counts, name: string): Count {
  let count = counts.get(name);
  if (count === undefined) counts.set(name, (count = { matched: 0, denied: 0, cost: { total: 0, most: 0 } }));
  return count;
}

function addCost({ cost: sum }: Count, cost: number): void {
  sum.total += cost;
  if (cost > sum.most) sum.most = cost;
}
