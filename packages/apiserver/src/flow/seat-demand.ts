// The number of seats that a level could have used lately: those in use and those that requests wait for, weighted by time. Levels borrow
// and lend seats by it. Upstream: apiserver pkg/util/flowcontrol/fairqueuing/integrator.go and apf_controller.go.

/** Half of an earlier demand is forgotten in five minutes. */
const SMOOTHING = 0.977;

/** Demand over one period. */
export interface DemandStats {
  readonly highWatermark: number;
  readonly average: number;
  readonly deviation: number;
  /** Falls slowly after a peak. */
  readonly smoothed: number;
}

export const NO_DEMAND: DemandStats = { highWatermark: 0, average: 0, deviation: 0, smoothed: 0 };

export class SeatDemand {
  #seats = 0;
  #highest = 0;
  #at: number;
  #seconds = 0;
  #sum = 0;
  #squares = 0;

  /** Times are in seconds. */
  constructor(now: number) {
    this.#at = now;
  }

  set(seats: number, now: number): void {
    this.#pass(now);
    this.#seats = seats;
    if (seats > this.#highest) this.#highest = seats;
  }

  /** The figures since the last call, which begins another period. */
  take(before: DemandStats, now: number): DemandStats {
    this.#pass(now);
    const [seconds, sum, squares, highest] = [this.#seconds, this.#sum, this.#squares, this.#highest];
    this.#seconds = this.#sum = this.#squares = 0;
    this.#highest = this.#seats;
    if (seconds <= 0) return { ...before, highWatermark: highest };
    const average = sum / seconds;
    const deviation = Math.sqrt(Math.max(0, squares / seconds - average * average));
    const envelope = average + deviation;
    const smoothed = Math.max(envelope, SMOOTHING * before.smoothed + (1 - SMOOTHING) * envelope);
    return { highWatermark: highest, average, deviation, smoothed };
  }

  #pass(now: number): void {
    const seconds = now - this.#at;
    this.#at = now;
    this.#seconds += seconds;
    this.#sum += this.#seats * seconds;
    this.#squares += this.#seats * this.#seats * seconds;
  }
}
