// Results of the validations of policies for one object, by name of the policy. Immutable: `with` returns a copy that
// shares the results of policies that did not change.

/** The result of a clause for an object. */
export type Truth = "true" | "false" | "error" | "not reached";

/** From the best to the worst. */
const RANK: readonly Truth[] = ["true", "not reached", "false", "error"];

/** Returns the more important one of two truths. */
export function gravest(known: Truth | undefined, other: Truth): Truth {
  return known === undefined || RANK.indexOf(known) < RANK.indexOf(other) ? other : known;
}

type Said = readonly Truth[];

/** Changes that are kept beside the rest before both are put together. */
const BESIDE = 8;

/** The results of each policy's clauses for one object; a changed policy makes a new set that shares the rest. */
export class Truths {
  readonly #rest: ReadonlyMap<string, Said>;
  /** Replaces entries of the rest; undefined if a policy has no entry any more. */
  readonly #changed: ReadonlyMap<string, Said | undefined>;

  constructor(rest: ReadonlyMap<string, Said>, changed: ReadonlyMap<string, Said | undefined> = new Map()) {
    this.#rest = rest;
    this.#changed = changed;
  }

  get(policy: string): Said | undefined {
    return this.#changed.has(policy) ? this.#changed.get(policy) : this.#rest.get(policy);
  }

  has(policy: string): boolean {
    return this.get(policy) !== undefined;
  }

  get isEmpty(): boolean {
    for (const policy of this.#rest.keys()) if (this.has(policy)) return false;
    for (const said of this.#changed.values()) if (said !== undefined) return false;
    return true;
  }

  /** With what policies say now; of those without an answer nothing. */
  with(policies: Iterable<string>, now: ReadonlyMap<string, Said>): Truths {
    const changed = new Map(this.#changed);
    for (const policy of policies) changed.set(policy, now.get(policy));
    if (changed.size <= BESIDE) return new Truths(this.#rest, changed);
    const all = new Map(this.#rest);
    for (const [policy, said] of changed) {
      if (said === undefined) all.delete(policy);
      else all.set(policy, said);
    }
    return new Truths(all);
  }
}
