// gRPC over HTTP/2 to one member of the cluster: calls with a deadline, streams, keep-alive. Knows nothing of etcd.

import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from "node:http2";
import type { SecureContextOptions } from "node:tls";
import { messageOf } from "../thrown-message.ts";

export interface ConnectionOptions {
  readonly tls?: SecureContextOptions & { readonly servername?: string; readonly rejectUnauthorized?: boolean };
  /** A ping after so many milliseconds, while something is under way, and how long its answer may take. */
  readonly keepAliveInterval: number;
  readonly keepAliveTimeout: number;
  /** Milliseconds until there must be a connection. */
  readonly connectTimeout: number;
}

/** Why a call failed: a gRPC status, the server's message, and whether the request may have reached it. */
export class CallFailure extends Error {
  readonly status: number;
  readonly isSent: boolean;
  /** The answer was longer than is read. */
  readonly isTooLong: boolean;

  constructor(status: number, message: string, isSent: boolean, isTooLong = false) {
    super(message);
    this.name = "CallFailure";
    this.status = status;
    this.isSent = isSent;
    this.isTooLong = isTooLong;
  }
}

export const STATUS = {
  deadlineExceeded: 4,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

export type Metadata = Readonly<Record<string, string>>;

/** A call in both directions. */
export interface Stream {
  send(message: Uint8Array): void;
  close(): void;
}

export interface StreamEvents {
  readonly message: (message: Buffer) => void;
  /** Called once, unless the stream was closed from this side. */
  readonly end: (failure: CallFailure) => void;
}

/** Bytes that may be on the way to us before we read them; the default of 64 kB makes large lists wait. */
const WINDOW = 8 * 1024 * 1024;
/** The longest message that is read. */
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;

export class Connection {
  readonly endpoint: string;
  readonly #options: ConnectionOptions;
  #session: ClientHttp2Session | undefined;
  /** The number of open streams. */
  readonly #streams = new WeakMap<ClientHttp2Session, number>();
  #closed = false;

  constructor(endpoint: string, options: ConnectionOptions) {
    this.endpoint = endpoint;
    this.#options = options;
  }

  /** One request, one answer. */
  call(method: string, message: Uint8Array, metadata: Metadata, timeout: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      const fail = (failure: CallFailure): void => {
        clearTimeout(timer);
        reject(failure);
      };
      const stream = this.#open(method, metadata, timeout, { message: (part) => parts.push(part), end: finish });
      const expire = (): void => {
        const isSent = stream !== undefined && !stream.pending;
        stream?.close(constants.NGHTTP2_CANCEL);
        fail(new CallFailure(STATUS.deadlineExceeded, `${this.endpoint} did not respond within ${timeout} ms`, isSent));
      };
      // After a long turn, the answer may have arrived unread; it is read before the immediate callback.
      const timer = setTimeout(() => setImmediate(expire), timeout);
      stream?.end(frame(message));

      function finish(failure: CallFailure | undefined): void {
        const [answer] = parts;
        if (failure !== undefined) fail(failure);
        else if (answer === undefined) fail(new CallFailure(STATUS.internal, "an answer without a message", true));
        else {
          clearTimeout(timer);
          resolve(answer);
        }
      }
    });
  }

  /** Requests and answers until one side ends it. */
  stream(method: string, metadata: Metadata, events: StreamEvents): Stream {
    let isOpen = true;
    let release = (): void => undefined;
    const stream = this.#open(method, metadata, undefined, {
      message: (message) => {
        if (isOpen) events.message(message);
      },
      end: (failure) => {
        if (!isOpen) return;
        isOpen = false;
        release();
        events.end(failure ?? new CallFailure(STATUS.unavailable, `${this.endpoint} ended the stream`, true));
      },
    });
    if (stream?.session !== undefined) release = this.#hold(stream.session as ClientHttp2Session);
    return {
      send: (message) => {
        if (isOpen) stream?.write(frame(message));
      },
      close: () => {
        isOpen = false;
        release();
        if (stream !== undefined) later(() => stream.close(constants.NGHTTP2_CANCEL));
      },
    };
  }

  /** Gives the connection up; the next call makes another. Requests under way fail. */
  reset(): void {
    const session = this.#session;
    this.#session = undefined;
    if (session !== undefined) later(() => session.destroy());
  }

  close(): void {
    this.#closed = true;
    this.reset();
  }

  #open(
    method: string,
    metadata: Metadata,
    timeout: number | undefined,
    events: { message: (message: Buffer) => void; end: (failure: CallFailure | undefined) => void },
  ): ClientHttp2Stream | undefined {
    let stream: ClientHttp2Stream;
    try {
      stream = this.#connected().request({
        ":method": "POST",
        ":path": method,
        "content-type": "application/grpc",
        te: "trailers",
        ...(timeout === undefined ? {} : { "grpc-timeout": `${Math.ceil(timeout)}m` }),
        ...metadata,
      });
    } catch (error) {
      queueMicrotask(() => events.end(new CallFailure(STATUS.unavailable, messageOf(error), false)));
      return undefined;
    }
    let ended = false;
    const end = (failure: CallFailure | undefined): void => {
      if (ended) return;
      ended = true;
      events.end(failure);
    };
    let outcome: IncomingHttpHeaders | undefined;
    const frames = new Frames((message) => {
      if (!ended) events.message(message);
    });
    stream.on("response", (headers) => {
      if ("grpc-status" in headers) outcome = headers;
      else if (headers[":status"] !== 200)
        outcome = { "grpc-status": "14", "grpc-message": `HTTP ${headers[":status"]}` };
    });
    stream.on("data", (part: Buffer) => {
      const problem = ended ? undefined : frames.add(part);
      if (problem === undefined) return;
      end(new CallFailure(STATUS.unavailable, `${this.endpoint} ${problem.text}`, true, problem.isTooLong));
      later(() => stream.close(constants.NGHTTP2_CANCEL));
    });
    stream.on("trailers", (headers) => {
      outcome = headers;
    });
    stream.on("error", (error: NodeJS.ErrnoException) => end(this.#failure(error, stream)));
    stream.on("close", () => {
      if (outcome === undefined) {
        end(this.#failure(new Error(`the connection to ${this.endpoint} was lost`), stream));
        return;
      }
      const status = statusOf(outcome["grpc-status"]);
      end(status === 0 ? undefined : new CallFailure(status, messageIn(outcome["grpc-message"]), true));
    });
    return stream;
  }

  /** A request that the server refused, or that waited for a connection to the end, was not sent. */
  #failure(error: Error, stream: ClientHttp2Stream): CallFailure {
    const isSent = !stream.pending && stream.rstCode !== constants.NGHTTP2_REFUSED_STREAM;
    return new CallFailure(STATUS.unavailable, messageOf(error), isSent);
  }

  #connected(): ClientHttp2Session {
    if (this.#closed) throw new Error("the client is closed");
    const current = this.#session;
    if (current !== undefined && !current.closed && !current.destroyed) return current;
    const session = connect(this.endpoint, {
      ...this.#options.tls,
      settings: { initialWindowSize: WINDOW, enablePush: false },
    });
    this.#session = session;
    let stopPings: () => void = () => undefined;
    const { connectTimeout } = this.#options;
    const late = setTimeout(() => {
      session.destroy(new Error(`no connection to ${this.endpoint} within ${connectTimeout} ms`));
    }, connectTimeout);
    late.unref();
    session.once("connect", () => {
      clearTimeout(late);
      if (this.#session !== session || session.destroyed) return;
      session.setLocalWindowSize(WINDOW * 2);
      stopPings = this.#keepAlive(session);
    });
    const gone = (): void => {
      clearTimeout(late);
      stopPings();
      if (this.#session !== session) return;
      this.#session = undefined;
    };
    // Requests report their own errors; the session's must be listened to, or they end the process.
    session.on("error", gone);
    // Open calls go on, and pings with them: a member that then falls silent must be noticed.
    session.on("goaway", () => {
      if (this.#session === session) this.#session = undefined;
    });
    session.on("close", gone);
    session.unref();
    return session;
  }

  /** A process that waits for a stream must not end because nothing else is left to do; a connection without any keeps no process. */
  #hold(session: ClientHttp2Session): () => void {
    const count = (change: number): number => {
      const streams = (this.#streams.get(session) ?? 0) + change;
      this.#streams.set(session, streams);
      return streams;
    };
    if (count(1) === 1) session.ref();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      if (count(-1) === 0 && !session.destroyed) session.unref();
    };
  }

  #keepAlive(session: ClientHttp2Session): () => void {
    const { keepAliveInterval, keepAliveTimeout } = this.#options;
    const interval = setInterval(() => {
      if (session.destroyed) return;
      let isAnswered = false;
      const late = setTimeout(() => {
        setImmediate(() => {
          if (!isAnswered) session.destroy(new Error(`${this.endpoint} does not respond`));
        });
      }, keepAliveTimeout);
      late.unref();
      session.ping(() => {
        isAnswered = true;
        clearTimeout(late);
      });
    }, keepAliveInterval);
    interval.unref();
    return () => clearInterval(interval);
  }
}

/**
 * Streams and sessions are ended in a turn of their own. Ended while something received is being handled, in what Node runs before it
 * goes on with the rest, they leave Node's HTTP/2 in a loop that never returns and takes all memory (nodejs/node#64113).
 */
function later(end: () => void): void {
  setImmediate(end);
}

/** The server's words are percent-encoded; unencoded text comes as it is. */
function messageIn(header: string | string[] | undefined): string {
  const text = String(header ?? "");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function statusOf(header: string | string[] | undefined): number {
  const status = Number(header ?? STATUS.internal);
  return Number.isInteger(status) ? status : STATUS.internal;
}

/** Messages out of a stream of bytes: a flag, the length in four bytes, the message. */
class Frames {
  readonly #message: (message: Buffer) => void;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(message: (message: Buffer) => void) {
    this.#message = message;
  }

  /** Takes more bytes; the answer says why they are no messages. */
  add(part: Buffer): { readonly text: string; readonly isTooLong: boolean } | undefined {
    this.#parts.push(part);
    this.#length += part.byteLength;
    for (;;) {
      if (this.#length < 5) return undefined;
      if (this.#parts[0]!.byteLength < 5) this.#parts = [Buffer.concat(this.#parts)];
      const [head] = this.#parts as [Buffer];
      const bytes = head.readUInt32BE(1);
      if (head[0] !== 0) return { text: "sent something that is not an uncompressed message", isTooLong: false };
      if (bytes > MAX_MESSAGE_BYTES) return { text: `sent a message of ${bytes} bytes`, isTooLong: true };
      const end = 5 + bytes;
      if (this.#length < end) return undefined;
      const whole = this.#parts.length === 1 ? head : Buffer.concat(this.#parts);
      this.#parts = whole.byteLength > end ? [whole.subarray(end)] : [];
      this.#length -= end;
      this.#message(whole.subarray(5, end));
    }
  }
}

function frame(message: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(5 + message.byteLength);
  bytes[0] = 0;
  bytes.writeUInt32BE(message.byteLength, 1);
  bytes.set(message, 5);
  return bytes;
}
