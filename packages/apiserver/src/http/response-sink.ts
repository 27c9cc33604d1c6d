// A stream onto one of Node's HTTP responses. What many watchers get is joined and framed once, and each of them is then written to once: the
// same bytes for all, which only encryption copies.

import type { ServerResponse } from "node:http";
import type { Sink } from "../wire/call.ts";
import { unreadOf } from "./open-streams.ts";

/** Bytes that wait to be sent together. */
const MAX_HELD = 64 * 1024;

/**
 * Writes of ServerResponse frame every chunk for every client, in three pieces. Where the response has its connection and sends chunks, whole
 * frames go there directly, behind the head and before the end that ServerResponse writes.
 */
export class ResponseSink implements Sink {
  readonly #response: ServerResponse;
  #isHolding = false;
  /** What waits. */
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
      this.#send(chunk);
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
    const chunk = joined(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    this.#send(chunk);
  }

  #send(chunk: Uint8Array): void {
    const { socket, chunkedEncoding, writableEnded, writableLength } = this.#response;
    // What the response keeps because it did not have the connection comes first.
    const isDirect = socket !== null && chunkedEncoding && writableLength === socket.writableLength && chunk.length > 0;
    if (!isDirect) this.#response.write(chunk);
    else if (!writableEnded && socket.writable) socket.write(frameOf(chunk));
  }
}

/** The last chunks that were joined: mostly the next watcher gets the same. */
let last: { readonly chunks: readonly Uint8Array[]; readonly whole: Uint8Array } | undefined;

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  if (last === undefined || !isSame(last.chunks, chunks)) last = { chunks, whole: Buffer.concat(chunks) };
  return last.whole;
}

function isSame(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  return some.length === others.length && some.every((chunk, at) => chunk === others[at]);
}

/** Chunks with their HTTP framing: what many watchers get is framed once. */
const frames = new WeakMap<Uint8Array, Uint8Array>();
const LINE_END = Buffer.from("\r\n");

function frameOf(chunk: Uint8Array): Uint8Array {
  let frame = frames.get(chunk);
  if (frame === undefined) {
    frame = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, LINE_END]);
    frames.set(chunk, frame);
  }
  return frame;
}
