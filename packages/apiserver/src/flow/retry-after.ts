// The seconds after which a rejected client may come again: longer, the more requests of its level were rejected lately. Upstream:
// apiserver pkg/util/flowcontrol/dropped_requests_tracker.go.

const LONGEST = 32;

export class RetryAfter {
  #seconds = 1;
  #raisedAt = 0;
  #second = 0;
  #count = 0;
  #history: { readonly second: number; readonly count: number }[] = [];

  get seconds(): number {
    return this.#seconds;
  }

  /** A request was rejected, at a time in seconds. */
  rejected(now: number): void {
    const second = Math.floor(now);
    if (second === this.#second) {
      this.#count++;
      return;
    }
    const kept = Math.min(2 * this.#seconds, LONGEST);
    this.#history.push({ second: this.#second, count: this.#count });
    this.#history = this.#history.filter((past) => second - past.second <= kept);
    this.#second = second;
    this.#count = 1;
    this.#adjust(second);
  }

  #adjust(second: number): void {
    const recent = this.#history.filter((past) => second - past.second <= this.#seconds);
    const rejected = recent.reduce((sum, { count }) => sum + count, 0);
    if (second - this.#raisedAt >= this.#seconds && rejected >= 3 * this.#seconds) {
      this.#seconds = Math.min(LONGEST, 2 * this.#seconds);
      this.#raisedAt = second;
    } else if (rejected < this.#seconds && this.#seconds > 1) this.#seconds--;
  }
}
