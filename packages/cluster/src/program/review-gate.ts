// How much of what clients send is worked on at once. Anybody who reaches the port of a program can send reviews, and those of an API server
// must not wait for them: large bodies are read and decided a few at a time, and the addresses that send them take turns.

/** Values, keys and members that a body may have: what is read takes some 100 bytes for each. */
const MOST_PARTS = 1_000_000;
/** From here on a body is large. */
const LARGE_PARTS = 20_000;
const LARGE_BYTES = 512 * 1024;
const AT_ONCE = 2;
/** Bodies of one address that wait. */
const MOST_WAITING = 16;

export type Admitted = { readonly done: () => void } | "too many" | "too large";

export class ReviewGate {
  #working = 0;
  /** By address, in the order in which they take turns. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Resolves when the body may be read; the caller calls `done` afterwards. */
  enter(body: Uint8Array, address: string, signal: AbortSignal): Admitted | Promise<Admitted> {
    const parts = partsOf(body, MOST_PARTS);
    if (parts > MOST_PARTS) return "too large";
    if (parts < LARGE_PARTS && body.length < LARGE_BYTES) return SMALL;
    if (this.#working < AT_ONCE) return this.#begin();
    const queue = this.#waiting.get(address) ?? [];
    if (queue.length >= MOST_WAITING) return "too many";
    return new Promise((resolve) => {
      const begin = (): void => {
        signal.removeEventListener("abort", giveUp);
        resolve(this.#begin());
      };
      const giveUp = (): void => {
        const left = (this.#waiting.get(address) ?? []).filter((other) => other !== begin);
        if (left.length === 0) this.#waiting.delete(address);
        else this.#waiting.set(address, left);
        resolve("too many");
      };
      this.#waiting.set(address, [...queue, begin]);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  #begin(): Admitted {
    this.#working++;
    let isDone = false;
    return {
      done: () => {
        if (isDone) return;
        isDone = true;
        this.#working--;
        this.#next();
      },
    };
  }

  /** The first body of the address whose turn it is, which comes last then. */
  #next(): void {
    for (const [address, [begin, ...rest]] of this.#waiting) {
      this.#waiting.delete(address);
      if (rest.length > 0) this.#waiting.set(address, rest);
      begin?.();
      return;
    }
  }
}

const SMALL: Admitted = { done: () => {} };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_LIST = 0x5b;
const OPENING_MAP = 0x7b;

/** How many values, members and keys JSON has, without reading it; stops above a limit. */
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
