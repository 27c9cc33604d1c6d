// One request after the other: limits on bodies, answers and watches, time limits, and the form of the answer.

import { randomUUID } from "node:crypto";
import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { headerTexts, warningHeader } from "@celadon/admission";
import { SharedBudget } from "@celadon/base/shared-budget";
import { isError, parseDuration } from "@celadon/cel";
import { badRequest, timeout, tooManyRequests } from "@celadon/kube/status";
import type { AuditedRequest } from "../audit/audit-event.ts";
import { Notes } from "../registry/exchange.ts";
import type { Served } from "../route/serve.ts";
import { statusAnswer } from "../wire/answers.ts";
import { type Call, isStream } from "../wire/call.ts";
import { parseQuery } from "../wire/query.ts";
import { requestInfo } from "../wire/request-info.ts";
import { auditedOf } from "./audited-request.ts";
import { Deadlines } from "./deadlines.ts";
import type { ServerLimits } from "./limits.ts";
import { NodeCall } from "./node-call.ts";
import { type OpenStream, OpenStreams } from "./open-streams.ts";
import { peerOf } from "./peer.ts";
import { type ResponseNotes, writeContent, writeStream } from "./response.ts";
import { openWebSocket } from "./web-socket.ts";

/** The receiver of calls. */
export interface Serving {
  serve(call: Call): Promise<Served>;
}

/** The connection of a request for a WebSocket, and the bytes that came after its head. */
interface Upgraded {
  readonly socket: Socket;
  readonly head: Buffer;
}

/** The requests of one server. */
export class RequestHandler {
  readonly #server: Serving;
  readonly #limits: ServerLimits;
  readonly #observe: ((request: AuditedRequest) => void) | undefined;
  readonly #deadlines = new Deadlines();
  #inFlight = 0;
  readonly #bodies: SharedBudget;
  readonly #unread: SharedBudget;
  readonly #watches: SharedBudget;
  readonly #streams: OpenStreams;

  constructor(server: Serving, limits: ServerLimits, observe: ((request: AuditedRequest) => void) | undefined) {
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
    const asked = parseDuration(parseQuery(call.query).get("timeout") ?? "");
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

/** Header values are bytes: UTF-8 is sent as it is. */
function warningsOf(texts: readonly string[]): readonly string[] {
  return headerTexts(texts).map((text) => Buffer.from(warningHeader(text)).toString("latin1"));
}
