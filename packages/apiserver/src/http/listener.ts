// Node's HTTP server in front of the API server: connections, limits, the head and body of answers.

import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { headerTexts, warningHeader } from "@celadon/admission";
import { tooManyRequests } from "@celadon/kube";
import type { AuditedRequest } from "../audit/audit-event.ts";
import type { Served } from "../route/serve.ts";
import { statusAnswer } from "../wire/answers.ts";
import { type Call, isStream } from "../wire/call.ts";
import { NodeCall } from "./node-call.ts";
import { peerOf } from "./peer.ts";
import { writeContent, writeStream } from "./response.ts";

export interface Limits {
  readonly maxBodyBytes: number;
  /** Requests at once, watches not counted. */
  readonly maxInFlight: number;
}

export const DEFAULT_LIMITS: Limits = { maxBodyBytes: 3 * 1024 * 1024, maxInFlight: 600 };

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly limits?: Partial<Limits>;
  /** Without it, HTTP in the clear. */
  readonly tls?: TlsOptions;
  /** Told of every request that was answered; of a watch when it begins. */
  readonly observe?: (request: AuditedRequest) => void;
}

/** All PEM. */
export interface TlsOptions {
  readonly certificate: string;
  readonly key: string;
  /** Whose client certificates count. */
  readonly clientCa?: string;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** Lets requests finish, ends watches and closes connections. */
  close(): Promise<void>;
}

/** What answers calls. */
export interface Serving {
  serve(call: Call): Promise<Served>;
}

export async function listen(server: Serving, options: ListenOptions): Promise<Listener> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const handler = new RequestHandler(server, limits, options.observe);
  const http = open(options.tls, (request, response) => handler.handle(request, response));
  const sockets = new Set<Socket>();
  http.on(options.tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(options.port, options.host, () => resolve());
  });
  const { port } = http.address() as AddressInfo;
  return {
    host: options.host,
    port,
    url: `${options.tls === undefined ? "http" : "https"}://${hostText(options.host)}:${port}`,
    close: () => closeAll(http, sockets),
  };
}

const HTTP = { maxHeaderSize: 64 * 1024, keepAliveTimeout: 90_000 };

function open(tls: TlsOptions | undefined, listener: RequestListener): Server {
  if (tls === undefined) return createServer(HTTP, listener);
  const { certificate: cert, key, clientCa } = tls;
  // Who has no certificate may have a token.
  const clients = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: false };
  return createTlsServer(
    { ...HTTP, cert, key, minVersion: "TLSv1.2", ALPNProtocols: ["http/1.1"], ...clients },
    listener,
  );
}

const hostText = (host: string): string => (host.includes(":") ? `[${host}]` : host);

async function closeAll(http: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  http.closeIdleConnections();
  const grace = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, 2_000);
  await closed;
  clearTimeout(grace);
}

class RequestHandler {
  readonly #server: Serving;
  readonly #limits: Limits;
  readonly #observe: ListenOptions["observe"];
  #inFlight = 0;

  constructor(server: Serving, limits: Limits, observe: ListenOptions["observe"]) {
    this.#server = server;
    this.#limits = limits;
    this.#observe = observe;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const auditId = request.headers["audit-id"];
    const notes = { auditId: typeof auditId === "string" ? auditId : randomUUID(), warnings: NO_WARNINGS };
    if (this.#inFlight >= this.#limits.maxInFlight) {
      const status = tooManyRequests("Too many requests, please try again later.", 1);
      writeContent(response, statusAnswer(status), notes, false);
      return;
    }
    this.#inFlight++;
    this.#serve(request, response, notes).then(
      () => this.#inFlight--,
      (error: unknown) => {
        this.#inFlight--;
        response.destroy(error instanceof Error ? error : undefined);
      },
    );
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    notes: { auditId: string; warnings: readonly string[] },
  ): Promise<void> {
    const call = new NodeCall(request, peerOf(request.socket), this.#limits.maxBodyBytes);
    const received = this.#observe === undefined ? 0 : Date.now();
    const served = await this.#server.serve(call);
    if (this.#observe !== undefined) this.#observe(auditedOf(request, call, served, notes.auditId, received));
    const sent = served.notes.hasWarnings ? { ...notes, warnings: warningsOf(served.notes.warnings) } : notes;
    if (isStream(served.answer)) writeStream(response, served.answer, sent);
    else {
      const encodings = request.headers["accept-encoding"];
      const acceptsGzip = typeof encodings === "string" && encodings.includes("gzip");
      writeContent(response, served.answer, sent, acceptsGzip);
    }
  }
}

const NO_WARNINGS: readonly string[] = [];

function auditedOf(
  request: IncomingMessage,
  call: NodeCall,
  { info, answer, notes, authenticated, impersonated, failure }: Served,
  auditId: string,
  received: number,
): AuditedRequest {
  return {
    auditId,
    uri: request.url ?? "",
    info,
    user: authenticated,
    impersonated,
    sourceIp: call.remoteAddress,
    userAgent: call.header("user-agent"),
    code: answer.code,
    failure,
    annotations: notes.annotations,
    received,
    finished: Date.now(),
  };
}

/** Header values are bytes: UTF-8 is sent as it is. */
function warningsOf(texts: readonly string[]): readonly string[] {
  return headerTexts(texts).map((text) => Buffer.from(warningHeader(text)).toString("latin1"));
}
