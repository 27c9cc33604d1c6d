// A request of Node's HTTP server as a Call.

import type { IncomingMessage } from "node:http";
import { requestEntityTooLarge } from "@celadon/kube";
import type { Call, Peer } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";

const NOTHING = new Uint8Array(0);

export class NodeCall implements Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly peer: Peer | undefined;
  readonly #request: IncomingMessage;
  readonly #maxBytes: number;
  #abort: AbortController | undefined;

  constructor(request: IncomingMessage, peer: Peer | undefined, maxBytes: number) {
    const url = request.url ?? "/";
    const mark = url.indexOf("?");
    this.method = request.method ?? "GET";
    this.path = mark === -1 ? url : url.slice(0, mark);
    this.query = mark === -1 ? "" : url.slice(mark + 1);
    this.peer = peer;
    this.#request = request;
    this.#maxBytes = maxBytes;
  }

  get remoteAddress(): string {
    return this.#request.socket.remoteAddress ?? "";
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController();
      this.#abort = abort;
      this.#request.once("close", () => {
        if (!this.#request.complete || this.#request.destroyed) abort.abort();
      });
    }
    return this.#abort.signal;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  headerValues(name: string): readonly string[] {
    return this.#request.headersDistinct[name] ?? [];
  }

  headerNames(): readonly string[] {
    return Object.keys(this.#request.headers);
  }

  body(): Promise<Uint8Array> {
    const request = this.#request;
    const declared = Number(request.headers["content-length"] ?? Number.NaN);
    if (declared === 0) return Promise.resolve(NOTHING);
    if (declared > this.#maxBytes) return Promise.reject(this.#tooLarge());
    if (Number.isNaN(declared) && request.headers["transfer-encoding"] === undefined) return Promise.resolve(NOTHING);
    return new Promise((resolve, reject) => {
      let chunks: Buffer[] | undefined;
      let first: Buffer | undefined;
      let size = 0;
      request.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > this.#maxBytes) {
          request.removeAllListeners("data");
          request.resume();
          reject(this.#tooLarge());
        } else if (first === undefined) first = chunk;
        else (chunks ??= [first]).push(chunk);
      });
      request.on("end", () => resolve(chunks === undefined ? (first ?? NOTHING) : Buffer.concat(chunks)));
      request.on("error", reject);
    });
  }

  #tooLarge(): StatusError {
    return new StatusError(requestEntityTooLarge(`limit is ${this.#maxBytes}`));
  }
}
