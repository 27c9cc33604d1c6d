// An HTTPS server for programs in a cluster: bounded bodies, bounded concurrency, certificates that can be replaced while it runs, and an
// end that loses no request. Shared resources are bounded by address: the largest user gives way. Handlers use plain values; only this file
// knows sockets.

import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { type Share, SharedBudget } from "@celadon/base/shared-budget";
import { ReviewGate } from "./review-gate.ts";

/** A request that was read. */
export interface HandledRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** Aborted when the client goes away or the time is over. */
  readonly signal: AbortSignal;
}

/** A response to write. */
export interface HandledResponse {
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
}

/** Answers requests. */
export type Handler = (request: HandledRequest) => Promise<HandledResponse> | HandledResponse;

/** The address of a server, and its limits. */
export interface ServingOptions {
  readonly host: string;
  readonly port: number;
  /** PEM; without it, HTTP in the clear. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Authorities in PEM: only clients with a certificate of theirs may POST. */
  readonly clientCa?: string;
  readonly handler: Handler;
  readonly maxBodyBytes?: number;
  /** The greatest size of all bodies that are being read or worked on. */
  readonly maxBufferedBytes?: number;
  readonly maxInFlight?: number;
  /** After which a request is answered without its handler. */
  readonly timeoutMs?: number;
  readonly failed?: (error: unknown) => void;
}

/** API servers send objects of up to 3 MiB, a review may hold two, and base64 and names come on top. */
const BODY_BYTES = 7 * 1024 * 1024;
/** Anybody who reaches the port can send bodies; together they must stay well below the memory of a pod. */
const BUFFERED_BYTES = 64 * 1024 * 1024;
const IN_FLIGHT = 256;
/** API servers keep idle connections for 90 s and do not send a review again when one is reset. */
const KEEP_ALIVE_MS = 120_000;

/** An HTTP or HTTPS server with limits. */
export class Serving {
  readonly #options: ServingOptions;
  readonly #server: Server | HttpsServer;
  readonly #requests: SharedBudget;
  readonly #bodies: SharedBudget;
  readonly #gate = new ReviewGate();
  #inFlight = 0;
  #draining = false;

  constructor(options: ServingOptions) {
    this.#options = options;
    this.#requests = new SharedBudget(options.maxInFlight ?? IN_FLIGHT);
    this.#bodies = new SharedBudget(options.maxBufferedBytes ?? BUFFERED_BYTES);
    const listener: RequestListener = (request, response) => void this.#serve(request, response);
    const settings = {
      keepAliveTimeout: KEEP_ALIVE_MS,
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      maxHeaderSize: 32 * 1024,
    };
    this.#server = options.tls
      ? createHttpsServer(
          {
            ...settings,
            cert: options.tls.certificate,
            key: options.tls.key,
            minVersion: "TLSv1.2",
            // Probes have no certificate: they may GET.
            ...(options.clientCa !== undefined && {
              ca: options.clientCa,
              requestCert: true,
              rejectUnauthorized: false,
            }),
          },
          listener,
        )
      : createHttpServer(settings, listener);
    this.#server.on("tlsClientError", () => {}); // probes and scanners
    this.#server.on("clientError", (_, socket) => socket.destroy());
  }

  async listen(): Promise<{ readonly port: number; readonly url: string }> {
    const { host, port, tls } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
    const { port: bound } = this.#server.address() as AddressInfo;
    return { port: bound, url: `${tls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${bound}` };
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** New connections get the new certificate; open ones go on. */
  replaceCertificate(tls: { readonly certificate: string; readonly key: string }): void {
    const { clientCa } = this.#options;
    const authorities = clientCa === undefined ? {} : { ca: clientCa };
    if ("setSecureContext" in this.#server)
      this.#server.setSecureContext({ cert: tls.certificate, key: tls.key, ...authorities });
  }

  /** Serves on for this long, telling clients to go elsewhere, then finishes requests under way. */
  async close(drainMs = 0): Promise<void> {
    this.#draining = true;
    if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const force = setTimeout(() => this.#server.closeAllConnections(), 10_000);
    await closed;
    clearTimeout(force);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#draining) response.setHeader("connection", "close");
    if (!this.#mayAsk(request)) return refuse(request, response, FORBIDDEN);
    const address = request.socket.remoteAddress ?? "";
    const cut = (): void => void response.destroy();
    const place = this.#requests.share(address, cut);
    const body = this.#bodies.share(address, cut);
    this.#inFlight++;
    try {
      if (place.grow(1)) send(response, await this.#answer(request, response, body));
      else refuse(request, response, TOO_MANY);
    } catch (error) {
      if (!(error instanceof ClientGone)) this.#options.failed?.(error);
      send(response, { status: 500, body: "internal error\n" });
    } finally {
      this.#inFlight--;
      place.free();
      body.free();
    }
  }

  #mayAsk({ method, socket }: IncomingMessage): boolean {
    if (this.#options.clientCa === undefined || method === "GET") return true;
    return (socket as Partial<TLSSocket>).authorized === true;
  }

  async #answer(request: IncomingMessage, response: ServerResponse, share: Share): Promise<HandledResponse> {
    const { handler, timeoutMs = 10_000, maxBodyBytes = BODY_BYTES } = this.#options;
    const body = await readBody(request, maxBodyBytes, (bytes) => share.grow(bytes));
    if (body === "too large") return { status: 413, body: `the body is larger than ${maxBodyBytes} bytes\n` };
    if (body === "too many") return TOO_MANY;
    // One signal for both ends: those of AbortSignal.any and timeout cost more than deciding about a request.
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(new DOMException("timed out", "TimeoutError")), timeoutMs);
    const gone = (): void => ending.abort();
    response.once("close", gone);
    const { signal } = ending;
    const entering = this.#gate.enter(body, share.holder, signal);
    const admitted = entering instanceof Promise ? await entering : entering;
    try {
      if (admitted === "too many") return TOO_MANY;
      if (admitted === "too large") return { status: 413, body: "the body has too many values\n" };
      const method = request.method ?? "GET";
      const [path = "/", query = ""] = splitOnce(request.url ?? "/", "?");
      const text = new TextDecoder().decode(body);
      return await handler({ method, path, query: new URLSearchParams(query), body: text, signal });
    } finally {
      if (typeof admitted === "object") admitted.done();
      clearTimeout(timer);
      response.off("close", gone);
    }
  }
}

const TOO_MANY: HandledResponse = { status: 429, body: "too many requests\n" };
const FORBIDDEN: HandledResponse = {
  status: 403,
  body: "only clients with a certificate of the configured authority\n",
};

/** Answers without reading the body: the connection ends with it. */
function refuse(request: IncomingMessage, response: ServerResponse, refusal: HandledResponse): void {
  if (!response.headersSent && request.method !== "GET") response.setHeader("connection", "close");
  send(response, refusal);
}

/** The client no longer waits for the answer. */
class ClientGone extends Error {}

/** Reads a body, and drops what exceeds a limit. `hold` counts the kept bytes, and returns whether they have room. */
function readBody(
  request: IncomingMessage,
  limit: number,
  hold: (bytes: number) => boolean,
): Promise<Buffer | "too large" | "too many"> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] | undefined = [];
    let size = 0;
    const drop = (why: "too large" | "too many"): void => {
      chunks = undefined;
      resolve(why);
    };
    request.on("data", (chunk: Buffer) => {
      if (chunks === undefined) return;
      size += chunk.length;
      if (size > limit) drop("too large");
      else if (hold(chunk.length)) chunks.push(chunk);
      else drop("too many");
    });
    request.once("end", () => {
      if (chunks === undefined) return;
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    request.once("error", (error) => reject(new ClientGone(error.message)));
    request.once("close", () => reject(new ClientGone("the client closed the connection")));
  });
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function send(
  response: ServerResponse,
  { status, body, contentType = "text/plain; charset=utf-8" }: HandledResponse,
): void {
  if (response.headersSent || response.destroyed) return;
  if (status === 429) response.setHeader("retry-after", "1");
  response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(body) });
  response.end(body);
}
