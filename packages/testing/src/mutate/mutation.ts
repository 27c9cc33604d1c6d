// Mutation testing of suites: every mutant against the cases that may notice it. Results depend on the suites and the seed alone, in any
// order and distribution of mutants; only the number of mutants that run may depend on time.

import type { Case, Suite } from "../suite/suite.ts";
import { type MutationPlan, orderOf, planMutants } from "./plan.ts";
import { type Fate, SuiteTrial } from "./trial.ts";
import { findWitness, type Witness, type WitnessOptions } from "./witness.ts";

/** Mutation testing of suites: every change, and how it is tried. */
export class PolicyMutation {
  readonly plan: MutationPlan;
  readonly #trials: readonly SuiteTrial[];

  private constructor(plan: MutationPlan, trials: readonly SuiteTrial[]) {
    this.plan = plan;
    this.#trials = trials;
  }

  /** Runs every case once, without a change. `only` chooses among the cases. */
  static async of(suites: readonly Suite[], only?: (suite: Suite, testCase: Case) => boolean): Promise<PolicyMutation> {
    const trials: SuiteTrial[] = [];
    for (const suite of suites) trials.push(await SuiteTrial.of(suite, only && ((testCase) => only(suite, testCase))));
    return new PolicyMutation(planMutants(suites), trials);
  }

  /** The fate of the mutant with this number in the plan. */
  async fate(index: number, signal?: { readonly aborted: boolean }): Promise<Fate> {
    const mutant = this.plan.mutants[index]!;
    for (const trial of this.#trials) {
      const fate = await trial.fate(mutant, signal);
      if (fate !== undefined) return fate;
    }
    return { outcome: "survived" };
  }

  /** The witness that would have detected it. */
  async witness(index: number, options: WitnessOptions = {}): Promise<Witness | undefined> {
    const mutant = this.plan.mutants[index]!;
    for (const trial of this.#trials) {
      const witness = await findWitness(trial, mutant, options);
      if (witness !== undefined) return witness;
    }
    return undefined;
  }
}

/** `undefined`: searched for and not found. */
export type Found = Witness | undefined;

/** Tries changes; the command has one that uses threads. Starts no more work when `expired` returns true. */
export interface Performer {
  fates(indices: readonly number[], expired: () => boolean, each: (index: number, fate: Fate) => void): Promise<void>;
  witnesses(
    indices: readonly number[],
    expired: () => boolean,
    each: (index: number, found: Found) => void,
  ): Promise<void>;
}

/** Limits on the number of changes and the time. */
export interface MutationOptions {
  readonly seed?: number;
  /** Run only so many, chosen by the seed. */
  readonly sample?: number;
  /** Milliseconds for everything; needs `now`. */
  readonly budget?: number;
  readonly now?: () => number;
  readonly signal?: { readonly aborted: boolean };
  /** Situations that are tried for every survivor; 0 looks for none. */
  readonly tries?: number;
  /** Waited for between mutants, so that a host can let others run. */
  readonly pause?: () => void | Promise<void>;
  readonly onMutant?: (done: number, total: number, id: string) => void;
  readonly performer?: Performer;
}

/** The outcome of the changes that were tried. */
export interface MutationRun {
  readonly plan: MutationPlan;
  readonly seed: number;
  /** Numbers of the mutants that were chosen to be run. */
  readonly chosen: ReadonlySet<number>;
  /** The fates of the mutants that were run. */
  readonly fates: ReadonlyMap<number, Fate>;
  /** The witnesses of the survivors that were checked. */
  readonly witnesses: ReadonlyMap<number, Found>;
}

/** Tries changes of policies and rules, and finds those that no case detects. */
export async function runMutation(mutation: PolicyMutation, options: MutationOptions = {}): Promise<MutationRun> {
  const { seed = 1, sample, budget = Infinity, now = () => 0, signal, tries, onMutant } = options;
  const { plan } = mutation;
  const started = now();
  const expired = (): boolean => signal?.aborted === true || now() - started >= budget;
  const performer = options.performer ?? inProcess(mutation, options);
  const order = orderOf(plan, seed, sample);
  const fates = new Map<number, Fate>();
  await performer.fates(order, expired, (index, fate) => {
    fates.set(index, fate);
    onMutant?.(fates.size, order.length, plan.mutants[index]!.id);
  });
  const survivors = [...fates].filter(([, { outcome }]) => outcome === "survived").map(([index]) => index);
  survivors.sort((a, b) => a - b);
  const witnesses = new Map<number, Found>();
  if (tries !== 0) await performer.witnesses(survivors, expired, (index, found) => void witnesses.set(index, found));
  return { plan, seed, chosen: new Set(order), fates, witnesses };
}

/** Tries changes one after the other in this process. */
export function inProcess(
  mutation: PolicyMutation,
  { seed = 1, tries, signal, pause }: Pick<MutationOptions, "seed" | "tries" | "signal" | "pause"> = {},
): Performer {
  return {
    async fates(indices, expired, each) {
      for (const index of indices) {
        if (expired()) return;
        each(index, await mutation.fate(index, signal));
        await pause?.();
      }
    },
    async witnesses(indices, expired, each) {
      const looking = {
        seed,
        ...(tries !== undefined && { tries }),
        signal: {
          get aborted() {
            return expired();
          },
        },
      };
      for (const index of indices) {
        if (expired()) return;
        const found = await mutation.witness(index, looking);
        // A witness that was found before time ran out may be larger than necessary, but it counts; finding none proves nothing.
        if (found === undefined && expired()) return;
        each(index, found);
        await pause?.();
      }
    },
  };
}
