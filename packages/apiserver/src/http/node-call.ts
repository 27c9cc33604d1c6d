// A request of Node's HTTP server as a Call.

import type { IncomingMessage } from "node:http";
import type { Share, SharedBudget } from "@celadon/base/shared-budget";
import { requestEntityTooLarge, tooManyRequests } from "@celadon/kube/status";
import { type Call, type Peer, type Seat, waitWithoutSeat } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";

const NOTHING = new Uint8Array(0);

/** Node hands the bytes of headers and of the request line on as characters below 256. */
const BEYOND_ASCII = /[\x80-\xff]/;

const decoded = (text: string): string =>
  BEYOND_ASCII.test(text) ? Buffer.from(text, "latin1").toString("utf8") : text;

const escaped = (url: string): string =>
  BEYOND_ASCII.test(url)
    ? url.replace(/[\x80-\xff]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    : url;

/** Names and values in turn, as they were sent. */
function firstValue(rawHeaders: readonly string[], name: string): string | undefined {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at]!;
    if (sent.length === name.length && sent.toLowerCase() === name) return rawHeaders[at + 1];
  }
  return undefined;
}

export class NodeCall implements Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly peer: Peer | undefined;
  readonly #request: IncomingMessage;
  #received: Promise<Uint8Array> | undefined;
  readonly #maxBytes: number;
  readonly #bodies: SharedBudget;
  #share: Share | undefined;
  seat: Seat | undefined;
  #abort: AbortController | undefined;
  #giveUpBody: (() => void) | undefined;

  constructor(request: IncomingMessage, peer: Peer | undefined, maxBytes: number, bodies: SharedBudget) {
    const url = escaped(request.url ?? "/");
    const mark = url.indexOf("?");
    this.method = request.method ?? "GET";
    this.path = mark === -1 ? url : url.slice(0, mark);
    this.query = mark === -1 ? "" : url.slice(mark + 1);
    this.peer = peer;
    this.#request = request;
    this.#maxBytes = maxBytes;
    this.#bodies = bodies;
  }

  /** It is answered: its body is kept no longer. */
  forget(): void {
    this.#share?.free();
  }

  /** It took too long: work for it may stop. */
  giveUp(): void {
    this.#abort?.abort();
    this.#giveUpBody?.();
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
    const joined = this.#request.headers[name];
    if (joined === undefined) return undefined;
    // Node joins repeated headers by commas.
    const isOne = typeof joined === "string" && !joined.includes(",");
    return decoded(isOne ? joined : (firstValue(this.#request.rawHeaders, name) ?? ""));
  }

  headerValues(name: string): readonly string[] {
    return (this.#request.headersDistinct[name] ?? []).map(decoded);
  }

  headerNames(): readonly string[] {
    return Object.keys(this.#request.headers);
  }

  body(): Promise<Uint8Array> {
    this.#received ??= this.#receive();
    return this.#received;
  }

  #receive(): Promise<Uint8Array> {
    const request = this.#request;
    const declared = Number(request.headers["content-length"] ?? Number.NaN);
    if (declared === 0) return Promise.resolve(NOTHING);
    if (declared > this.#maxBytes) return Promise.reject(this.#tooLarge());
    if (Number.isNaN(declared) && request.headers["transfer-encoding"] === undefined) return Promise.resolve(NOTHING);
    // Small bodies mostly arrive with the head.
    if (request.complete && request.readableLength > 0) return this.#readWhole(request.read() as Buffer);
    // A client that sends its body slowly holds no seat, or a few hundred of them would keep out everybody.
    return waitWithoutSeat(this, this.#readChunks(request));
  }

  #readWhole(body: Buffer): Promise<Uint8Array> {
    if (body.length > this.#maxBytes) return Promise.reject(this.#tooLarge());
    this.#share = this.#bodies.share(this.seat?.holder ?? "", () => {});
    return this.#share.grow(body.length) ? Promise.resolve(body) : Promise.reject(tooManyBodies());
  }

  #readChunks(request: IncomingMessage): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      let chunks: Buffer[] | undefined;
      let first: Buffer | undefined;
      let size = 0;
      let isOver = false;
      const end = (): boolean => {
        if (isOver) return false;
        isOver = true;
        this.#giveUpBody = undefined;
        return true;
      };
      const refuse = (error: Error): void => {
        if (!end()) return;
        request.removeAllListeners("data");
        request.resume();
        reject(error);
      };
      const tooMany = (): void => refuse(tooManyBodies());
      this.#share = this.#bodies.share(this.seat?.holder ?? "", tooMany);
      this.#giveUpBody = () => refuse(new Error("the body did not come in time"));
      request.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (!this.#share!.grow(chunk.length)) tooMany();
        else if (size > this.#maxBytes) refuse(this.#tooLarge());
        else if (first === undefined) first = chunk;
        else (chunks ??= [first]).push(chunk);
      });
      request.on("end", () => {
        if (!end()) return;
        resolve(chunks === undefined ? (first ?? NOTHING) : Buffer.concat(chunks));
      });
      request.on("error", refuse);
    });
  }

  #tooLarge(): StatusError {
    return new StatusError(requestEntityTooLarge(`limit is ${this.#maxBytes}`));
  }
}

function tooManyBodies(): StatusError {
  return new StatusError(tooManyRequests("Too many requests, please try again later.", 1));
}
