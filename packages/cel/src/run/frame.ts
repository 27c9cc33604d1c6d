// One evaluation: the variables, the loop slots, and the meter.

import { CelError } from "../value/error.ts";
import type { Value } from "../value/value.ts";

export type Variables = Readonly<Record<string, unknown>>;

/** Told what every node did, as it happens. */
export interface Recorder {
  /** `cost` is what the node and everything below it cost this time. */
  value(id: number, value: Value | CelError, cost: number): void;
  /** The loop `id` begins with the element or entry under `key`. */
  iteration?(id: number, key: Value, element: Value): void;
}

/** Thrown through the evaluation when it must stop at once; caught where it began. Never seen by callers. */
export class Stop {
  readonly error: CelError;
  constructor(error: CelError) {
    this.error = error;
  }
}

export const COST_LIMIT_MESSAGE = "operation cancelled: actual cost limit exceeded";
export const INTERRUPTED_MESSAGE = "operation interrupted";

/** How many loop iterations pass between looks at the clock and the signal. */
const INTERRUPT_FREQUENCY = 100;

export interface Interrupt {
  /** True when the evaluation should end now. */
  interrupted(): boolean;
}

export class Frame {
  readonly vars: Variables;
  readonly locals: Value[];
  cost = 0;
  readonly limit: number;
  readonly interrupt: Interrupt | undefined;
  readonly recorder: Recorder | undefined;
  private countdown = INTERRUPT_FREQUENCY;

  constructor(vars: Variables, slots: number, limit: number, interrupt?: Interrupt, recorder?: Recorder) {
    this.vars = vars;
    this.locals = slots === 0 ? NO_LOCALS : new Array(slots);
    this.limit = limit;
    this.interrupt = interrupt;
    this.recorder = recorder;
  }

  /** One charge of `n`. */
  charge(n: number): void {
    this.cost += n;
    if (this.cost > this.limit) throw new Stop(new CelError("cost_limit", COST_LIMIT_MESSAGE));
  }

  /** `n` charges of one each: crossing the limit among them leaves the meter one past it. */
  chargeEach(n: number): void {
    this.cost += n;
    if (this.cost > this.limit) {
      this.cost = Math.floor(this.limit) + 1;
      throw new Stop(new CelError("cost_limit", COST_LIMIT_MESSAGE));
    }
  }

  /** Takes back a charge. Where nothing has been charged yet, the reference's unsigned counter goes below zero: past any limit. */
  refund(n: number): void {
    this.cost -= n;
    if (this.cost >= 0 || this.limit === Number.POSITIVE_INFINITY) return;
    this.cost += 2 ** 64;
    throw new Stop(new CelError("cost_limit", COST_LIMIT_MESSAGE));
  }

  /** Once per loop iteration. */
  tick(): void {
    if (this.interrupt === undefined || --this.countdown > 0) return;
    this.countdown = INTERRUPT_FREQUENCY;
    if (this.interrupt.interrupted()) throw new Stop(new CelError("interrupted", INTERRUPTED_MESSAGE));
  }
}

const NO_LOCALS: Value[] = [];
