// An HTTPS server for programs in a cluster: bounded bodies, bounded concurrency, certificates that can be replaced while it runs, and an
// end that loses no request. Handlers use plain values; only this file knows sockets.

import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import type { AddressInfo } from "node:net";

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

/** Where a server listens, and its limits. */
export interface ServingOptions {
  readonly host: string;
  readonly port: number;
  /** PEM; without it, HTTP in the clear. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  readonly handler: Handler;
  readonly maxBodyBytes?: number;
  /** Of all bodies that are being read or worked on. */
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
  #inFlight = 0;
  #buffered = 0;
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
      return send(response, TOO_MANY);
    }
    this.#inFlight++;
    let held = 0;
    const hold = (bytes: number): boolean => {
      held += bytes;
      this.#buffered += bytes;
      return this.#buffered <= (this.#options.maxBufferedBytes ?? BUFFERED_BYTES);
    };
    try {
      send(response, await this.#answer(request, response, hold));
    } catch (error) {
      if (!(error instanceof ClientGone)) this.#options.failed?.(error);
      send(response, { status: 500, body: "internal error\n" });
    } finally {
      this.#inFlight--;
      this.#buffered -= held;
    }
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    hold: (bytes: number) => boolean,
  ): Promise<HandledResponse> {
    const { handler, timeoutMs = 10_000, maxBodyBytes = BODY_BYTES } = this.#options;
    const body = await readBody(request, maxBodyBytes, hold);
    if (body === "too large") return { status: 413, body: `the body is larger than ${maxBodyBytes} bytes\n` };
    if (body === "too many") return TOO_MANY;
    // One signal for both ends: those of AbortSignal.any and timeout cost more than deciding about a request.
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(new DOMException("timed out", "TimeoutError")), timeoutMs);
    const gone = (): void => ending.abort();
    response.once("close", gone);
    const { signal } = ending;
    try {
      const method = request.method ?? "GET";
      const [path = "/", query = ""] = splitOnce(request.url ?? "/", "?");
      return await handler({ method, path, query: new URLSearchParams(query), body: body.text, signal });
    } finally {
      clearTimeout(timer);
      response.off("close", gone);
    }
  }
}

const TOO_MANY: HandledResponse = { status: 429, body: "too many requests\n" };

/** Nobody waits for the answer any more. */
class ClientGone extends Error {}

/** What is beyond a limit is read and dropped. `hold` counts what is kept, and says whether there is room for it. */
function readBody(
  request: IncomingMessage,
  limit: number,
  hold: (bytes: number) => boolean,
): Promise<{ readonly text: string } | "too large" | "too many"> {
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
      resolve({ text: (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString("utf8") });
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
  response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(body) });
  response.end(body);
}
