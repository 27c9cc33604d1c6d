// Requests to one API server over connections that are kept. Answers are streams; who reads them says how much may come.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Connection, Credential } from "./connection.ts";

/** A request as it is sent. */
export interface TransportRequest {
  readonly method: string;
  /** From the server's root, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Until the head of the answer arrives. */
  readonly timeoutMs?: number;
}

/** A response as it comes. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly stream: AsyncIterable<Uint8Array>;
  /** The whole body; rejects beyond the limit. */
  text(limit?: number): Promise<string>;
  /** Ends it without reading the rest. */
  cancel(): void;
}

/** Sends requests. */
export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): void;
}

/** The server was unreachable, broke off, or sent an invalid answer. A Status that it sent is not one of these. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

const TIMEOUT_MS = 60_000;
const BODY_BYTES = 256 * 1024 * 1024;

/** Opens connections to an API server over HTTP or HTTPS. */
export function openTransport(connection: Connection, userAgent: string): Transport {
  const base = new URL(connection.server);
  const agents = new Agents(connection, base);
  return {
    send: async (request) => {
      try {
        const credential = await connection.credentials.current();
        const response = await sendOnce(
          base,
          agents.agentFor(credential),
          headersOf(connection, credential, userAgent, request),
          request,
        );
        if (response.status === 401) connection.credentials.rejected();
        return response;
      } catch (error) {
        if (error instanceof ConnectionError || request.signal?.aborted === true) throw error;
        // There are no credentials, or they cannot be sent.
        throw new ConnectionError(`${base.origin}: ${(error as Error).message}`, { cause: error });
      }
    },
    close: () => agents.close(),
  };
}

/** One agent for each client certificate; the last one is kept. */
class Agents {
  readonly #connection: Connection;
  readonly #secure: boolean;
  #agent: HttpAgent | HttpsAgent | undefined;
  #cert: string | undefined;

  constructor(connection: Connection, base: URL) {
    this.#connection = connection;
    this.#secure = base.protocol === "https:";
  }

  agentFor({ certificate }: Credential): HttpAgent | HttpsAgent {
    if (this.#agent !== undefined && this.#cert === certificate?.cert) return this.#agent;
    this.#agent?.destroy();
    this.#cert = certificate?.cert;
    const { ca, serverName, insecureSkipVerify } = this.#connection;
    const kept = { keepAlive: true, maxSockets: 256, scheduling: "lifo" } as const;
    this.#agent = this.#secure
      ? new HttpsAgent({
          ...kept,
          ...(ca !== undefined && { ca }),
          ...(serverName !== undefined && { servername: serverName }),
          ...(insecureSkipVerify === true && { rejectUnauthorized: false }),
          ...certificate,
        })
      : new HttpAgent(kept);
    return this.#agent;
  }

  close(): void {
    this.#agent?.destroy();
    this.#agent = undefined;
  }
}

function headersOf(
  { impersonate }: Connection,
  { authorization }: Credential,
  userAgent: string,
  { headers, body }: TransportRequest,
): Record<string, string | string[]> {
  return {
    accept: "application/json",
    "user-agent": userAgent,
    ...(body !== undefined && {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
    }),
    ...(authorization !== undefined && { authorization }),
    ...(impersonate && {
      "impersonate-user": impersonate.user,
      ...(impersonate.groups && impersonate.groups.length > 0 && { "impersonate-group": [...impersonate.groups] }),
      ...(impersonate.uid !== undefined && { "impersonate-uid": impersonate.uid }),
    }),
    ...headers,
  };
}

function sendOnce(
  base: URL,
  agent: HttpAgent | HttpsAgent,
  headers: Record<string, string | string[]>,
  { method, path, body, signal, timeoutMs = TIMEOUT_MS }: TransportRequest,
): Promise<TransportResponse> {
  const send = base.protocol === "https:" ? httpsRequest : httpRequest;
  const prefix = base.pathname === "/" ? "" : base.pathname;
  const target = {
    protocol: base.protocol,
    hostname: base.hostname.replace(/^\[|\]$/g, ""),
    ...(base.port !== "" && { port: base.port }),
    path: `${prefix}${path}`,
    method,
    headers,
    agent,
    ...(signal && { signal }),
  };
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => {
      if (signal?.aborted === true) reject(signal.reason);
      else reject(new ConnectionError(`${base.origin}: ${wordsOf(error as NodeJS.ErrnoException)}`, { cause: error }));
    };
    const outgoing = send(target, (incoming) => {
      clearTimeout(timer);
      outgoing.off("error", failed);
      outgoing.on("error", () => {}); // the stream reports it as well
      resolve(responseOf(base, incoming));
    });
    const timer = setTimeout(() => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    timer.unref();
    outgoing.once("close", () => clearTimeout(timer));
    outgoing.on("error", failed);
    outgoing.end(body);
  });
}

function responseOf(base: URL, incoming: IncomingMessage): TransportResponse {
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    stream: incoming,
    text: async (limit = BODY_BYTES) => {
      const chunks: Uint8Array[] = [];
      let size = 0;
      const stalled = (): unknown => incoming.destroy(new Error(`nothing more came within ${TIMEOUT_MS} ms`));
      const timer = setTimeout(stalled, TIMEOUT_MS);
      timer.unref();
      try {
        for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
          timer.refresh();
          size += chunk.length;
          if (size > limit) throw new RangeError(`the answer is larger than ${limit} bytes`);
          chunks.push(chunk);
        }
      } catch (error) {
        incoming.destroy();
        throw new ConnectionError(`${base.origin}: ${(error as Error).message}`, { cause: error });
      } finally {
        clearTimeout(timer);
      }
      return Buffer.concat(chunks, size).toString("utf8");
    },
    cancel: () => void incoming.destroy(),
  };
}

function wordsOf({ code, message }: NodeJS.ErrnoException): string {
  return WORDS[code ?? ""] ?? message;
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused: is the API server running there?",
  ECONNRESET: "the connection was closed",
  ENOTFOUND: "no such host",
  ETIMEDOUT: "the connection timed out",
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is signed by an unknown authority",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate is signed by an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate is signed by an unknown authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another name",
};
