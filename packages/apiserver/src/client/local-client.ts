// Calls made inside the process: by the server's own controllers, by programs that embed it, and by tests. They go the same way as calls from a
// socket, authorization and admission included.

import { toJson } from "@celadon/base";
import { readJson } from "@celadon/kube/read";
import { type Answer, type Call, isStream, type Peer, type Seat, type Sink } from "../wire/call.ts";

/** Answers calls. */
export interface Serving {
  serve(call: Call): Promise<{ readonly answer: Answer; readonly notes: { readonly warnings: readonly string[] } }>;
}

export interface CallOptions {
  /** An object is sent as JSON, a text as it is. */
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** The reply to a local client. */
export interface Reply {
  readonly code: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly warnings: readonly string[];
  /** The body, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: it is whatever the server answered
  json(): any;
}

/** An event of a watch. */
export interface LocalWatchEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: it is whatever the server sent
  readonly object: any;
}

/** A watch of a local client. */
export interface LocalWatch extends AsyncIterable<LocalWatchEvent> {
  /** The next event; undefined at the end. */
  next(): Promise<LocalWatchEvent | undefined>;
  close(): void;
}

/** A client inside the process: calls without a socket. */
export class LocalClient {
  readonly #server: Serving;
  readonly #peer: Peer | undefined;

  /** Without a peer, calls must carry a token. */
  constructor(server: Serving, peer: Peer | undefined) {
    this.#server = server;
    this.#peer = peer;
  }

  async call(method: string, url: string, options: CallOptions = {}): Promise<Reply> {
    const { answer, notes } = await this.#server.serve(new LocalCall(method, url, this.#peer, options));
    if (isStream(answer)) throw new Error(`${method} ${url} answers with a stream`);
    const text = typeof answer.body === "string" ? answer.body : Buffer.from(answer.body).toString("utf8");
    const { code, type, headers = {} } = answer;
    return { code, type, headers, text, warnings: notes.warnings, json: () => readJson(text) };
  }

  /** The events of a watch; the reply when the server refuses it. */
  async watch(url: string, options: CallOptions = {}): Promise<LocalWatch> {
    const { answer } = await this.#server.serve(new LocalCall("GET", url, this.#peer, options));
    if (!isStream(answer)) throw new Error(`watch ${url}: ${answer.code} ${Buffer.from(answer.body).toString("utf8")}`);
    const sink = new EventSink();
    answer.open(sink);
    return sink;
  }
}

const NOTHING = new Uint8Array(0);
const NEVER = new AbortController().signal;

class LocalCall implements Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly peer: Peer | undefined;
  readonly remoteAddress = "127.0.0.1";
  readonly signal: AbortSignal = NEVER;
  seat: Seat | undefined;
  readonly #headers: Readonly<Record<string, string | readonly string[]>>;
  readonly #body: Uint8Array;

  constructor(method: string, url: string, peer: Peer | undefined, { body, type, headers = {} }: CallOptions) {
    const mark = url.indexOf("?");
    this.method = method;
    this.path = mark === -1 ? url : url.slice(0, mark);
    this.query = mark === -1 ? "" : url.slice(mark + 1);
    this.peer = peer;
    this.#headers = {
      "user-agent": "celadon",
      ...(body !== undefined && { "content-type": type ?? "application/json" }),
      ...headers,
    };
    this.#body = bytesOf(body);
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return value === undefined || typeof value === "string" ? value : value[0];
  }

  headerValues(name: string): readonly string[] {
    const value = this.#headers[name];
    return value === undefined ? [] : typeof value === "string" ? [value] : value;
  }

  headerNames(): readonly string[] {
    return Object.keys(this.#headers);
  }

  body(): Promise<Uint8Array> {
    return Promise.resolve(this.#body);
  }
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return NOTHING;
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : toJson(body));
}

/** The lines of a stream as events. */
class EventSink implements Sink, LocalWatch {
  readonly pending = 0;
  readonly #queue: LocalWatchEvent[] = [];
  readonly #waiting: ((event: LocalWatchEvent | undefined) => void)[] = [];
  readonly #listeners: (() => void)[] = [];
  #ended = false;

  write(chunk: Uint8Array): void {
    for (const line of Buffer.from(chunk).toString("utf8").split("\n")) {
      if (line === "") continue;
      const event = readJson(line) as LocalWatchEvent;
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#queue.push(event);
      else waiting(event);
    }
  }

  hold(): void {}

  release(): void {}

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const listener of this.#listeners) listener();
    for (const waiting of this.#waiting) waiting(undefined);
  }

  cut(): void {
    this.end();
  }

  onClose(listener: () => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    this.end();
  }

  next(): Promise<LocalWatchEvent | undefined> {
    const event = this.#queue.shift();
    if (event !== undefined || this.#ended) return Promise.resolve(event);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LocalWatchEvent> {
    for (let event = await this.next(); event !== undefined; event = await this.next()) yield event;
  }
}
