// Every way through an evaluation, one after the other: a run takes the decisions that were prescribed, then the first option of each
// new one. The next run repeats it up to the last decision that has another option.

/** Thrown if the decisions of a run contradict each other. */
export class Infeasible extends Error {
  constructor() {
    super("infeasible");
  }
}

/** Made once: a run ends so often that a stack trace for each would be most of the time. */
export const INFEASIBLE: Infeasible = new Infeasible();

/** Thrown where a run cannot be followed: it may be possible, and nothing is known of it. */
export class GaveUp extends Error {}

/** Decisions of one run. */
export class Choices {
  readonly #taken: number[];
  readonly #counts: number[] = [];
  #depth = 0;

  constructor(prescribed: readonly number[] = []) {
    this.#taken = [...prescribed];
  }

  /** One of `count` options, from 0. */
  take(count: number): number {
    if (count <= 0) throw INFEASIBLE;
    const depth = this.#depth++;
    this.#counts[depth] = count;
    this.#taken[depth] ??= 0;
    return this.#taken[depth];
  }

  /** The decisions of the next run; undefined after the last. */
  next(): readonly number[] | undefined {
    for (let depth = this.#depth - 1; depth >= 0; depth--) {
      const option = (this.#taken[depth] as number) + 1;
      if (option < (this.#counts[depth] as number)) return [...this.#taken.slice(0, depth), option];
    }
    return undefined;
  }
}
