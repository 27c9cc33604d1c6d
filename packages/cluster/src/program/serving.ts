// An HTTPS server for programs in a cluster: bounded bodies, bounded concurrency, certificates that can be replaced while it runs, and an
// end that loses no request. Handlers speak plain values; only this file knows sockets.

import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface HandledRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** Aborted when the client goes away or the time is over. */
  readonly signal: AbortSignal;
}

export interface HandledResponse {
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
}

export type Handler = (request: HandledRequest) => Promise<HandledResponse> | HandledResponse;

export interface ServingOptions {
  readonly host: string;
  readonly port: number;
  /** PEM; without it, HTTP in the clear. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  readonly handler: Handler;
  readonly maxBodyBytes?: number;
  readonly maxInFlight?: number;
  /** After which a request is answered without its handler. */
  readonly timeoutMs?: number;
  readonly failed?: (error: unknown) => void;
}

/** API servers send objects of up to 3 MiB, a review may hold two, and base64 and names come on top. */
const BODY_BYTES = 7 * 1024 * 1024;
const IN_FLIGHT = 256;
/** API servers keep idle connections for 90 s and do not send a review again when one is reset. */
const KEEP_ALIVE_MS = 120_000;

export class Serving {
  readonly #options: ServingOptions;
  readonly #server: Server | HttpsServer;
  #inFlight = 0;
  #draining = false;

  constructor(options: ServingOptions) {
    this.#options = options;
    const listener: RequestListener = (request, response) => void this.#serve(request, response);
    const settings = {
      keepAliveTimeout: KEEP_ALIVE_MS,
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      maxHeaderSize: 32 * 1024,
    };
    this.#server = options.tls
      ? createHttpsServer(
          { ...settings, cert: options.tls.certificate, key: options.tls.key, minVersion: "TLSv1.2" },
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
    if ("setSecureContext" in this.#server) this.#server.setSecureContext({ cert: tls.certificate, key: tls.key });
  }

  /** Serves on for so long, telling clients to go elsewhere, then finishes what is under way. */
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
    if (this.#inFlight >= (this.#options.maxInFlight ?? IN_FLIGHT)) {
      response.setHeader("retry-after", "1");
      return send(response, { status: 429, body: "too many requests\n" });
    }
    this.#inFlight++;
    try {
      send(response, await this.#answer(request, response));
    } catch (error) {
      this.#options.failed?.(error);
      send(response, { status: 500, body: "internal error\n" });
    } finally {
      this.#inFlight--;
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<HandledResponse> {
    const { handler, timeoutMs = 10_000, maxBodyBytes = BODY_BYTES } = this.#options;
    const body = await readBody(request, maxBodyBytes);
    if (body === undefined) return { status: 413, body: `the body is larger than ${maxBodyBytes} bytes\n` };
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const url = new URL(request.url ?? "/", "http://local");
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(timeoutMs)]);
    return handler({ method: request.method ?? "GET", path: url.pathname, query: url.searchParams, body, signal });
  }
}

/** Undefined for one that is too large. */
async function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) {
      request.resume();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString("utf8");
}

function send(
  response: ServerResponse,
  { status, body, contentType = "text/plain; charset=utf-8" }: HandledResponse,
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(body) });
  response.end(body);
}
