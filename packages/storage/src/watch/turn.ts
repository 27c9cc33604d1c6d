// The share of each watcher in one turn. A watcher that has much to read would otherwise read it all in one go, with nothing read from the
// network meanwhile.

/** Deliveries in one turn of the event loop, by all watchers of a store. */
const MOST = 2_000;

export class Turn {
  #left = MOST;
  #next: Promise<void> | undefined;

  /** Counts a delivery; false when it has to wait for the next turn. */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }

  next(): Promise<void> {
    this.#next ??= new Promise((resolve) => {
      schedule(() => {
        this.#next = undefined;
        this.#left = MOST;
        resolve();
      });
    });
    return this.#next;
  }
}

/** Browsers have no setImmediate. */
const schedule: (call: () => void) => void =
  typeof setImmediate === "function" ? (call) => void setImmediate(call) : (call) => void setTimeout(call, 0);
