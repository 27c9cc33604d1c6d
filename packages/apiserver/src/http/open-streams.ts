// Streams that are open. A watcher that does not read is cut off by its own limit; this bounds the unread bytes of all of them together, by
// cutting off those that read least. It looks now and then, so that sending an event costs nothing more.

import type { Writable } from "node:stream";

/** A response of Node, or the connection of a WebSocket. */
export type OpenStream = Writable & { readonly socket?: Writable | null };

const EVERY_MS = 250;

export class OpenStreams {
  readonly #responses = new Set<OpenStream>();
  readonly #maxBytes: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#responses.size;
  }

  /** Until it closes. */
  add(response: OpenStream): void {
    this.#responses.add(response);
    this.#timer ??= setInterval(() => this.#sweep(), EVERY_MS).unref();
    response.once("close", () => {
      this.#responses.delete(response);
      if (this.#responses.size === 0) this.close();
    });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #sweep(): void {
    let all = 0;
    for (const response of this.#responses) all += unreadOf(response);
    if (all <= this.#maxBytes) return;
    for (const response of [...this.#responses].sort((a, b) => unreadOf(b) - unreadOf(a))) {
      if (all <= this.#maxBytes) return;
      all -= unreadOf(response);
      response.destroy();
    }
  }
}

/** Bytes that were written and not yet taken by the client. */
export function unreadOf(response: OpenStream): number {
  return (response.socket ?? response).writableLength;
}
