// The facts of a path about integers: ranges of variables and constraints between them.

import { type Constraint, constant, type Linear, plus } from "../number/linear.ts";
import { canHold, INT64, type Interval, propagated } from "../number/solver.ts";
import { INFEASIBLE } from "./choices.ts";

export class Numbers {
  readonly #ranges = new Map<string, Interval>();
  readonly #constraints: Constraint[] = [];
  /** Constraints that may narrow again when another range does. */
  readonly #joint: Constraint[] = [];

  get ranges(): ReadonlyMap<string, Interval> {
    return this.#ranges;
  }

  get constraints(): readonly Constraint[] {
    return this.#constraints;
  }

  /** Declares a variable; one that is known keeps its range. */
  declare(name: string, range: Interval): void {
    if (!this.#ranges.has(name)) this.#ranges.set(name, range);
  }

  range(name: string): Interval {
    return this.#ranges.get(name) ?? INT64;
  }

  /** The least and the most that a sum can be. */
  bounds({ factors, constant: rest }: Linear): Interval {
    let least = rest;
    let most = rest;
    for (const [name, factor] of factors) {
      const range = this.range(name);
      least += factor * (factor > 0n ? range.least : range.most);
      most += factor * (factor > 0n ? range.most : range.least);
    }
    return { least, most };
  }

  require(sum: Linear, is: Constraint["is"]): void {
    const constraint = { sum, is };
    this.#constraints.push(constraint);
    if (!propagated(this.#ranges, [constraint])) throw INFEASIBLE;
    // A constraint on one variable does not concern others, unless they are bound together.
    if (sum.factors.size > 1) this.#joint.push(constraint);
    else if (is === "notZero") this.#joint.push(constraint);
    if (this.#joint.length > 0 && !propagated(this.#ranges, this.#joint)) throw INFEASIBLE;
  }

  /** Whether all constraints can hold together, as far as elimination tells. */
  check(): void {
    if (this.#joint.length > 0 && !canHold(this.#ranges, this.#joint)) throw INFEASIBLE;
  }

  /** Requires `a < b`, `a <= b` or `a == b`. */
  compare(a: Linear, relation: "<" | "<=" | "==" | "!=", b: Linear): void {
    const difference = plus(b, a, -1n);
    if (relation === "<") this.require(plus(difference, constant(-1n)), "atLeastZero");
    else this.require(difference, relation === "<=" ? "atLeastZero" : relation === "==" ? "zero" : "notZero");
  }
}
