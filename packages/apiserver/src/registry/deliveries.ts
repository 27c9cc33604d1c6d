// When watchers get their events. A write to a connection costs the same for one event as for many: encryption, a call of the system, the
// waking of the client. Events of one turn of the event loop go out together, and those of the next turns too while many watchers are being
// written to, so that deliveries take no more than a tenth of the time. A single event after a pause goes out at once.

import type { Sink } from "../wire/call.ts";

/** After writing to all watchers, the pause is this many times as long as that took. */
const PAUSE = 9;
/** In milliseconds. */
const LONGEST_PAUSE = 50;
/** Shorter waits are the next turn of the event loop. */
const SHORTEST_PAUSE = 1;

export class Deliveries {
  readonly #held = new Set<Sink>();
  #isDue = false;
  /** When watchers may be written to again. */
  #readyAt = 0;

  /** Holds a sink's bytes so that they go out with those of others. */
  hold(sink: Sink): void {
    if (this.#held.has(sink)) return;
    sink.hold();
    this.#held.add(sink);
    if (this.#isDue) return;
    this.#isDue = true;
    const wait = this.#readyAt - performance.now();
    if (wait < SHORTEST_PAUSE) setImmediate(this.#deliver);
    else setTimeout(this.#deliver, wait);
  }

  /** The stream has ended. */
  forget(sink: Sink): void {
    this.#held.delete(sink);
  }

  #deliver = (): void => {
    this.#isDue = false;
    const sinks = [...this.#held];
    this.#held.clear();
    const begun = performance.now();
    for (const sink of sinks) sink.release();
    const ended = performance.now();
    this.#readyAt = ended + Math.min(LONGEST_PAUSE, (ended - begun) * PAUSE);
  };
}
