// Node's HTTP server in front of the API server: connections, limits, the head and body of answers.

import { constants, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { headerTexts, warningHeader } from "@celadon/admission";
import { SharedBudget } from "@celadon/base/shared-budget";
import { isError, parseDuration } from "@celadon/cel";
import { readJson, readStoredJson } from "@celadon/kube/read";
import { badRequest, type Status, timeout, tooManyRequests } from "@celadon/kube/status";
import type { AuditedRequest } from "../audit/audit-event.ts";
import { Notes } from "../registry/exchange.ts";
import type { Served } from "../route/serve.ts";
import { JSON_TYPE } from "../wire/accept.ts";
import { statusAnswer } from "../wire/answers.ts";
import { type Answer, type Call, type Content, isStream } from "../wire/call.ts";
import { parseQuery } from "../wire/query.ts";
import { requestInfo } from "../wire/request-info.ts";
import { Deadlines } from "./deadlines.ts";
import { answerMalformed } from "./malformed.ts";
import { NodeCall } from "./node-call.ts";
import { type OpenStream, OpenStreams } from "./open-streams.ts";
import { peerOf } from "./peer.ts";
import { type ResponseNotes, writeContent, writeStream } from "./response.ts";
import { asksForWatch, withoutUpgrade } from "./upgrade.ts";
import { openWebSocket } from "./web-socket.ts";

/** Bounds on simultaneous work of a server. */
export interface ServerLimits {
  readonly maxBodyBytes: number;
  /** Bytes of the bodies of all requests at once. */
  readonly maxBodiesBytes: number;
  /** Bytes of large answers that clients have not read, of all requests at once. */
  readonly maxUnreadBytes: number;
  /** Bytes that watchers have not read, of all watches at once. */
  readonly maxUnreadWatchBytes: number;
  /** Seats of the requests at once that are not exempt, shared by the priority levels; watches have none while they stream. */
  readonly maxInFlight: number;
  /** Watches at once. */
  readonly maxWatches: number;
  /** Milliseconds until a request is answered, watches excepted; a client may ask for less by `timeout`. */
  readonly requestTimeout: number;
  /** Milliseconds a client may take to send a request. */
  readonly sendTimeout: number;
  /** Milliseconds a client may take to read a large answer. */
  readonly readTimeout: number;
  /** Bytes of a request line and its headers. */
  readonly maxHeaderBytes: number;
}

export const DEFAULT_LIMITS: ServerLimits = {
  maxBodyBytes: 3 * 1024 * 1024,
  maxBodiesBytes: 256 * 1024 * 1024,
  maxUnreadBytes: 512 * 1024 * 1024,
  maxUnreadWatchBytes: 512 * 1024 * 1024,
  maxInFlight: 600,
  maxWatches: 10_000,
  requestTimeout: 60_000,
  sendTimeout: 60_000,
  readTimeout: 60_000,
  maxHeaderBytes: 64 * 1024,
};

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly limits?: Partial<ServerLimits>;
  /** Without it, HTTP in the clear. */
  readonly tls?: TlsOptions;
  /** Told of every request that was answered; of a watch when it begins. */
  readonly observe?: (request: AuditedRequest) => void;
}

/** All PEM. */
export interface TlsOptions {
  readonly certificate: string;
  readonly key: string;
  /** The authorities whose client certificates count. */
  readonly clientCa?: readonly string[];
}

export interface Listener {
  readonly port: number;
  /** The address of the server under one of its names. */
  url(host: string): string;
  /** Lets requests finish, ends watches and closes connections. */
  close(): Promise<void>;
}

/** The receiver of calls. */
export interface Serving {
  serve(call: Call): Promise<Served>;
}

export async function listen(server: Serving, options: ListenOptions): Promise<Listener> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const handler = new RequestHandler(server, limits, options.observe);
  const http = open(options.tls, limits, (request, response) => handler.handle(request, response));
  http.on("clientError", answerMalformed);
  const connected = options.tls === undefined ? "connection" : "secureConnection";
  http.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (asksForWatch(request)) handler.upgrade(request, socket, head);
    else withoutUpgrade(http, connected, request, socket, head);
  });
  const sockets = new Set<Socket>();
  http.on(connected, (socket: Socket) => {
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
    port,
    url: (host) => `${options.tls === undefined ? "http" : "https"}://${hostText(host)}:${port}`,
    close: async () => {
      await closeAll(http, sockets, handler);
      handler.close();
    },
  };
}

function open(tls: TlsOptions | undefined, limits: ServerLimits, listener: RequestListener): Server {
  const { maxHeaderBytes: maxHeaderSize, sendTimeout } = limits;
  const settings = {
    maxHeaderSize,
    // Missed below, where the answer is a Status.
    requireHostHeader: false,
    keepAliveTimeout: 90_000,
    requestTimeout: sendTimeout,
    headersTimeout: sendTimeout,
    connectionsCheckingInterval: Math.min(30_000, sendTimeout),
  };
  if (tls === undefined) return withAllHeaders(createServer(settings, listener));
  const { certificate: cert, key, clientCa } = tls;
  // A client without certificate may have a token.
  const clients = clientCa === undefined ? {} : { ca: [...clientCa], requestCert: true, rejectUnauthorized: false };
  // Certificates of clients are verified with every connection: none resumes a session.
  const secureOptions = constants.SSL_OP_NO_TICKET;
  const secured = { cert, key, minVersion: "TLSv1.2", ALPNProtocols: ["http/1.1"], secureOptions } as const;
  return withAllHeaders(createTlsServer({ ...settings, ...secured, ...clients }, listener));
}

/** Node drops headers beyond a count without a word, and a request is decided by its headers: only their bytes are limited. */
function withAllHeaders<S extends Server>(server: S): S {
  server.maxHeadersCount = 0;
  return server;
}

const hostText = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** Requests that take longer are cut off when the server ends. */
const DRAIN_MS = 30_000;
/** The time that answers get to arrive when all requests have been answered. */
const FLUSH_MS = 1_000;

async function closeAll(http: Server, sockets: ReadonlySet<Socket>, handler: RequestHandler): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  const started = Date.now();
  let answered = 0;
  const timer = setInterval(() => {
    http.closeIdleConnections();
    const now = Date.now();
    if (handler.isIdle) answered ||= now;
    if (now > started + DRAIN_MS || (answered > 0 && now > answered + FLUSH_MS)) {
      for (const socket of sockets) socket.destroy();
    }
  }, 20);
  await closed;
  clearInterval(timer);
}

/** The connection of a request for a WebSocket, and the bytes that came after its head. */
interface Upgraded {
  readonly socket: Socket;
  readonly head: Buffer;
}

class RequestHandler {
  readonly #server: Serving;
  readonly #limits: ServerLimits;
  readonly #observe: ListenOptions["observe"];
  readonly #deadlines = new Deadlines();
  #inFlight = 0;
  readonly #bodies: SharedBudget;
  readonly #unread: SharedBudget;
  readonly #watches: SharedBudget;
  readonly #streams: OpenStreams;

  constructor(server: Serving, limits: ServerLimits, observe: ListenOptions["observe"]) {
    this.#server = server;
    this.#limits = limits;
    this.#observe = observe;
    this.#bodies = new SharedBudget(limits.maxBodiesBytes);
    this.#unread = new SharedBudget(limits.maxUnreadBytes);
    this.#watches = new SharedBudget(limits.maxWatches);
    this.#streams = new OpenStreams(limits.maxUnreadWatchBytes);
  }

  get isIdle(): boolean {
    return this.#inFlight === 0;
  }

  close(): void {
    this.#deadlines.close();
    this.#streams.close();
  }

  /** A watch over a WebSocket. If it is refused, the answer is an ordinary one. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once("finish", () => socket.end());
    socket.on("error", () => socket.destroy());
    this.handle(request, response, { socket, head });
  }

  handle(request: IncomingMessage, response: ServerResponse, upgraded?: Upgraded): void {
    const auditId = request.headers["audit-id"];
    const notes = { auditId: typeof auditId === "string" ? auditId : randomUUID(), warnings: NO_WARNINGS };
    const hosts = hostHeaders(request.rawHeaders);
    if (hosts !== 1 && (hosts > 1 || request.httpVersion === "1.1")) {
      writeContent(response, hosts === 0 ? NO_HOST : MANY_HOSTS, notes, false);
      return;
    }
    this.#inFlight++;
    const call = new NodeCall(request, peerOf(request.socket), this.#limits.maxBodyBytes, this.#bodies);
    const done = (): void => {
      call.forget();
      this.#inFlight--;
    };
    upgraded?.socket.once("close", () => call.giveUp());
    this.#serve(request, response, call, notes, upgraded).then(done, (error: unknown) => {
      done();
      response.destroy(error instanceof Error ? error : undefined);
    });
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    call: NodeCall,
    notes: { auditId: string; warnings: readonly string[] },
    upgraded: Upgraded | undefined,
  ): Promise<void> {
    const received = this.#observe === undefined ? 0 : Date.now();
    const served = await this.#inTime(call);
    if (this.#observe !== undefined) this.#observe(auditedOf(request, call, served, notes.auditId, received));
    const sent = served.notes.hasWarnings ? { ...notes, warnings: warningsOf(served.notes.warnings) } : notes;
    const holder = (served.impersonated ?? served.authenticated)?.username ?? "";
    if (isStream(served.answer)) {
      const { answer } = served;
      this.#stream(response, upgraded?.socket ?? response, sent, holder, () => {
        if (upgraded === undefined) {
          writeStream(response, answer, sent);
          return;
        }
        response.detachSocket(upgraded.socket);
        openWebSocket(call, upgraded.socket, upgraded.head, answer);
      });
    } else {
      const { length } = served.answer.body;
      const isRead = length > LARGE ? this.#reading(response, length, holder) : undefined;
      if (isRead === "too many") {
        writeContent(response, TOO_MANY_REQUESTS, sent, false);
        return;
      }
      const encodings = request.headers["accept-encoding"];
      const acceptsGzip = typeof encodings === "string" && encodings.includes("gzip");
      writeContent(response, served.answer, sent, acceptsGzip);
      await isRead;
    }
  }

  /** The server's answer, or a timeout: then the work is cancelled where possible. */
  #inTime(call: NodeCall): Promise<Served> {
    return new Promise((resolve, reject) => {
      const deadline = this.#deadlines.after(this.#allotted(call), () => {
        call.giveUp();
        resolve(timedOut(call));
      });
      this.#server.serve(call).then(
        (served) => {
          deadline.met();
          resolve(served);
        },
        (error: unknown) => {
          deadline.met();
          reject(error);
        },
      );
    });
  }

  #allotted(call: Call): number {
    const { requestTimeout } = this.#limits;
    if (!call.query.includes("timeout=")) return requestTimeout;
    const asked = parseDuration(new URLSearchParams(call.query).get("timeout") ?? "");
    const milliseconds = isError(asked) ? 0 : asked.seconds * 1e3 + asked.nanos / 1e6;
    return milliseconds > 0 ? Math.min(milliseconds, requestTimeout) : requestTimeout;
  }

  /** Opens a stream on its sink, unless there are too many. */
  #stream(response: ServerResponse, target: OpenStream, notes: ResponseNotes, holder: string, open: () => void): void {
    const share = this.#watches.share(holder, () => target.destroy());
    if (!share.grow(1)) {
      share.free();
      writeContent(response, TOO_MANY_WATCHES, notes, false);
      return;
    }
    target.once("close", () => share.free());
    this.#streams.add(target);
    open();
  }

  /** Resolves when a large answer was sent; a client that does not read it in time is cut off, so that it does not fill the memory. */
  #reading(response: ServerResponse, bytes: number, holder: string): Promise<void> | "too many" {
    const share = this.#unread.share(holder, () => response.destroy());
    if (!share.grow(bytes)) {
      share.free();
      return "too many";
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => response.destroy(), this.#limits.readTimeout);
      response.once("close", () => {
        clearTimeout(timer);
        share.free();
        resolve();
      });
    });
  }
}

const NO_HOST = statusAnswer(badRequest("malformed HTTP request: missing required Host header"));
const MANY_HOSTS = statusAnswer(badRequest("malformed HTTP request: too many Host headers"));

/** Node keeps the first of them alone. */
function hostHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count;
}
const TOO_MANY_WATCHES = statusAnswer(tooManyRequests("Too many watches, please try again later.", 1));
const TOO_MANY_REQUESTS = statusAnswer(tooManyRequests("Too many requests, please try again later.", 1));

function timedOut(call: Call): Served {
  const failure = timeout("request did not complete within the allotted timeout", 0);
  const info = requestInfo(call.method, call.path, parseQuery(call.query));
  return { answer: statusAnswer(failure), info, notes: new Notes(), isAuthorized: false, failure };
}

/** Smaller answers are in the hands of the system at once. */
const LARGE = 256 * 1024;

const NO_WARNINGS: readonly string[] = [];

function auditedOf(
  request: IncomingMessage,
  call: NodeCall,
  { info, answer, notes, authenticated, impersonated, impersonationConstraint, failure, isAuthorized }: Served,
  auditId: string,
  received: number,
): AuditedRequest {
  return {
    auditId,
    uri: request.url ?? "",
    info,
    user: authenticated,
    impersonated,
    impersonationConstraint,
    sourceIp: call.remoteAddress,
    userAgent: call.header("user-agent"),
    code: answer.code,
    failure,
    annotations:
      authenticated === undefined
        ? notes.annotations
        : {
            "authorization.k8s.io/decision": isAuthorized ? "allow" : "forbid",
            "authorization.k8s.io/reason": "",
            ...notes.annotations,
          },
    patchAnnotations: notes.patchAnnotations,
    isStream: isStream(answer),
    requestObject: notes.sent,
    responseObject: () => answeredObject(answer),
    success: successOf(answer),
    received,
    finished: Date.now(),
  };
}

/** The answer as data, for the audit log. */
function answeredObject(answer: Answer): unknown {
  if (isStream(answer) || answer.type !== JSON_TYPE) return undefined;
  return answer.value ?? (typeof answer.body === "string" ? readJson(answer.body) : readStoredJson(answer.body));
}

/** The answer, where it is a Status of success. */
function successOf(answer: Answer): Status | undefined {
  const { kind } = (isStream(answer) ? {} : (answer.value ?? {})) as { kind?: unknown };
  return kind === "Status" ? ((answer as Content).value as Status) : undefined;
}

/** Header values are bytes: UTF-8 is sent as it is. */
function warningsOf(texts: readonly string[]): readonly string[] {
  return headerTexts(texts).map((text) => Buffer.from(warningHeader(text)).toString("latin1"));
}
