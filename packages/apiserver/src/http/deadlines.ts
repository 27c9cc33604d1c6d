// When requests must be answered. One timer looks after all of them, because most end within a millisecond.

/** The precision of a deadline, in milliseconds. */
const TICK = 250;

export interface Deadline {
  /** The request was answered in time. */
  met(): void;
}

export class Deadlines {
  readonly #open = new Set<{ readonly at: number; readonly missed: () => void }>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => this.#look(), TICK);
    this.#timer.unref();
  }

  after(milliseconds: number, missed: () => void): Deadline {
    const entry = { at: performance.now() + milliseconds, missed };
    this.#open.add(entry);
    return { met: () => this.#open.delete(entry) };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#open.size === 0) return;
    const now = performance.now();
    for (const entry of this.#open) {
      if (entry.at > now) continue;
      this.#open.delete(entry);
      entry.missed();
    }
  }
}
