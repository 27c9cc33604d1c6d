// A stream onto one of Node's HTTP responses. Events for many watchers are joined and framed once, and each of them is then written to
// once: the same bytes for all, which only encryption copies.

import type { ServerResponse } from "node:http";
import type { Sink } from "../wire/call.ts";
import { unreadOf } from "./open-streams.ts";

/** Bytes that wait to be sent together. */
const MAX_HELD = 64 * 1024;

/**
 * Writes of ServerResponse frame every chunk for every client, in three pieces. If the response has its connection and sends chunks, whole
 * frames go there directly, behind the head and before the end that ServerResponse writes.
 */
export class ResponseSink implements Sink {
  readonly #response: ServerResponse;
  #isHolding = false;
  /** The bytes that wait. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get pending(): number {
    return unreadOf(this.#response) + this.#heldBytes;
  }

  write(chunk: Uint8Array): void {
    if (!this.#isHolding) {
      this.#send([chunk]);
      return;
    }
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes >= MAX_HELD) this.#sendHeld();
  }

  hold(): void {
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    this.#sendHeld();
  }

  end(): void {
    this.release();
    this.#response.end();
  }

  cut(): void {
    this.#response.destroy();
  }

  onClose(listener: () => void): void {
    this.#response.once("close", listener);
  }

  #sendHeld(): void {
    if (this.#held.length === 0) return;
    const chunks = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    this.#send(chunks);
  }

  #send(chunks: readonly Uint8Array[]): void {
    const { socket, chunkedEncoding, writableEnded, writableLength } = this.#response;
    const { whole, frame } = joined(chunks);
    // Bytes that the response holds because it did not have the connection come first.
    const isDirect = socket !== null && chunkedEncoding && writableLength === socket.writableLength && whole.length > 0;
    if (!isDirect) this.#response.write(whole);
    else if (!writableEnded && socket.writable) socket.write(frame);
  }
}

/** Chunks as one, without and with their HTTP framing. */
interface Joined {
  readonly chunks: readonly Uint8Array[];
  readonly whole: Uint8Array;
  readonly frame: Uint8Array;
}

/** The last chunks that were joined: mostly the next watcher gets the same. */
let last: Joined = { chunks: [], whole: new Uint8Array(), frame: new Uint8Array() };
const LINE_END = Buffer.from("\r\n");

function joined(chunks: readonly Uint8Array[]): Joined {
  if (!isSame(last.chunks, chunks)) {
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const head = Buffer.from(`${length.toString(16)}\r\n`);
    const frame = Buffer.concat([head, ...chunks, LINE_END]);
    last = { chunks, frame, whole: frame.subarray(head.length, head.length + length) };
  }
  return last;
}

function isSame(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  return some.length === others.length && some.every((chunk, at) => chunk === others[at]);
}
