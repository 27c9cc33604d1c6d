// One evaluation: the variables, the loop slots, and the meter.

import { type CelError, Panic } from "../value/error.ts";
import { costLimitExceeded, isStop, Stop } from "../value/size/stop.ts";
import { work } from "../value/size/work.ts";
import type { Value } from "../value/value.ts";

/** Values of variables, by name. */
export type Variables = Readonly<Record<string, unknown>>;

/** Receives the value of each node while an expression is evaluated. */
export interface Recorder {
  /** `cost` is the cost of the node and of everything below it this time. */
  value(id: number, value: Value | CelError, cost: number): void;
  /** The loop `id` begins with the element or entry under `key`. */
  iteration?(id: number, key: Value, element: Value): void;
}

/** The cost that is charged before it counts as work. A call whose cost depends on the size of its arguments is work of that size. */
export const CHARGED = 500;
export const STEPS_PER_UNIT = 5;

export class Frame {
  readonly vars: Variables;
  readonly locals: Value[];
  cost = 0;
  readonly limit: number;
  readonly recorder: Recorder | undefined;
  /** The cost that may be charged before the limit or the clock is checked. */
  private check: number;

  constructor(vars: Variables, slots: number, limit: number, watched: boolean, recorder?: Recorder) {
    this.vars = vars;
    this.locals = slots === 0 ? NO_LOCALS : new Array(slots);
    this.limit = limit;
    this.check = watched ? Math.min(limit, CHARGED) : limit;
    this.recorder = recorder;
  }

  /** One charge of `n`. */
  charge(n: number): void {
    this.cost += n;
    if (this.cost > this.check) this.checkCost();
  }

  /** `n` charges of one each: crossing the limit among them leaves the meter one past it. */
  chargeEach(n: number): void {
    this.cost += n;
    if (this.cost <= this.check) return;
    if (this.cost > this.limit) this.cost = onePast(this.limit);
    this.checkCost();
  }

  private checkCost(): void {
    if (this.cost > this.limit) throw new Stop(costLimitExceeded());
    const charged = this.cost - this.check + CHARGED;
    this.check = Math.min(this.limit, this.cost + CHARGED);
    work(charged * STEPS_PER_UNIT);
  }

  /** The next charge is a price that says nothing about the duration of the call: asking an authorizer is expensive and fast. */
  expectFixed(n: number): void {
    this.check = Math.min(this.limit, this.check + n);
  }

  /**
   * Makes a call that was charged before, as calls are that nobody could pay for otherwise. The reference charges after the call, so
   * one that panics, which ends the evaluation, is not charged.
   */
  paid<T>(cost: number, call: () => T): T {
    this.charge(cost);
    try {
      const result = call();
      if (result instanceof Panic) this.cost -= cost;
      return result;
    } catch (thrown) {
      if (!isStop(thrown)) this.cost -= cost;
      throw thrown;
    }
  }

  /** Takes back a charge. If nothing has been charged yet, the reference's unsigned counter goes below zero: past any limit. */
  refund(n: number): void {
    this.cost -= n;
    if (this.cost >= 0 || this.limit === Number.POSITIVE_INFINITY) return;
    this.cost += 2 ** 64;
    throw new Stop(costLimitExceeded());
  }
}

/** The cost that the meter shows when a charge of one crosses the limit. */
export const onePast = (limit: number): number => Math.max(Math.floor(limit) + 1, 1);

const NO_LOCALS: Value[] = [];
