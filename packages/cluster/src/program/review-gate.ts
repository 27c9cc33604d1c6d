// Bounds the simultaneous work on requests. Anybody who reaches the port of a program can send reviews, and those of an API server must not
// wait for them. Addresses take turns, one body each, as soon as bodies come faster than the program works, and large ones are read and
// decided a few at a time. Between two turns the event loop receives bodies of others.

/** Values, keys and members that a body may have: each takes some 100 bytes when read. */
const MOST_PARTS = 1_000_000;
/** From here on a body is large. */
const LARGE_PARTS = 20_000;
const LARGE_BYTES = 512 * 1024;
const LARGE_AT_ONCE = 2;
/** Large bodies of one address that wait. */
const MOST_WAITING = 16;
/** Milliseconds of a turn of the event loop after which further bodies wait for the next: meanwhile others are received. */
const TURN_MS = 5;
/** Bodies that one turn lets in at most, if those of the turn before took little time. */
const MOST_IN_TURN = 16;

export type Admitted = { readonly done: () => void } | "too many" | "too large";

export class ReviewGate {
  readonly #large = new Turns(LARGE_AT_ONCE, MOST_WAITING);
  readonly #small = new Turns(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);

  /** Resolves when the body may be read; the caller calls `done` afterwards. */
  enter(body: Uint8Array, address: string, signal: AbortSignal): Admitted | Promise<Admitted> {
    const parts = partsOf(body, MOST_PARTS);
    if (parts > MOST_PARTS) return "too large";
    const isLarge = parts >= LARGE_PARTS || body.length >= LARGE_BYTES;
    return (isLarge ? this.#large : this.#small).enter(address, signal);
  }
}

/** Addresses take turns, and the event loop receives bodies of others between one turn and the next. */
class Turns {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  /** By address, in the order in which they take turns. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #working = 0;
  /** When the first body of this turn of the event loop was let in. */
  #turnSince: number | undefined;
  /** Bodies that the next turn lets in. */
  #inTurn = 1;

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  enter(address: string, signal: AbortSignal): Admitted | Promise<Admitted> {
    if (this.#waiting.size === 0 && this.#mayBegin()) return this.#begin();
    let queue = this.#waiting.get(address);
    if (queue === undefined) this.#waiting.set(address, (queue = new Set()));
    if (queue.size >= this.#mostWaiting) return "too many";
    const waiting = queue;
    return new Promise((resolve) => {
      const begin = (): void => {
        signal.removeEventListener("abort", giveUp);
        resolve(this.#begin());
      };
      const giveUp = (): void => {
        waiting.delete(begin);
        if (waiting.size === 0 && this.#waiting.get(address) === waiting) this.#waiting.delete(address);
        resolve("too many");
      };
      waiting.add(begin);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  #mayBegin(): boolean {
    if (this.#working >= this.#atOnce) return false;
    return this.#turnSince === undefined || performance.now() - this.#turnSince < TURN_MS;
  }

  #begin(): Admitted {
    this.#working++;
    if (this.#turnSince === undefined) {
      this.#turnSince = performance.now();
      setImmediate(() => this.#nextTurn());
    }
    let isDone = false;
    return {
      done: () => {
        if (isDone) return;
        isDone = true;
        this.#working--;
        // A turn that is not over lets the next one in when it ends.
        if (this.#turnSince === undefined) this.#nextTurn();
      },
    };
  }

  /** Lets in the first bodies of the addresses whose turn it is, which come last then. The work for them follows before anything else. */
  #nextTurn(): void {
    if (this.#turnSince !== undefined) {
      const wasShort = performance.now() - this.#turnSince < TURN_MS;
      this.#inTurn = wasShort ? Math.min(2 * this.#inTurn, MOST_IN_TURN) : 1;
    }
    this.#turnSince = undefined;
    for (let i = 0; i < this.#inTurn && this.#working < this.#atOnce; i++) {
      const first = this.#waiting.entries().next().value;
      if (first === undefined) return;
      const [address, queue] = first;
      const [begin] = queue;
      this.#waiting.delete(address);
      queue.delete(begin!);
      if (queue.size > 0) this.#waiting.set(address, queue);
      begin!();
    }
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_LIST = 0x5b;
const OPENING_MAP = 0x7b;

/** Counts values, members and keys of JSON without reading it; stops above a limit. */
export function partsOf(json: Uint8Array, limit: number): number {
  let parts = 1;
  for (let at = 0; at < json.length && parts <= limit; at++) {
    switch (json[at]) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case COMMA:
      case COLON:
      case OPENING_LIST:
      case OPENING_MAP:
        parts++;
    }
  }
  return parts;
}

/** The closing quote, or the end. */
function endOfString(json: Uint8Array, start: number): number {
  let end = json.indexOf(QUOTE, start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: Uint8Array, at: number): boolean {
  let from = at;
  while (json[from - 1] === BACKSLASH) from--;
  return (at - from) % 2 === 1;
}
