// One request and its answer as data, free of sockets: an HTTP server passes the one to the handlers and gets the other from them. The
// server's own controllers and tests make calls of this form directly.

/** A request as plain data, wherever it comes from. */
export interface Call {
  readonly method: string;
  /** The path as sent: percent-encoded, without the query. */
  readonly path: string;
  /** The query as sent. */
  readonly query: string;
  /** A header by its lower-case name; of repeated ones the first, which is what Go's handlers decide by. */
  header(name: string): string | undefined;
  /** Every value of a header that may be repeated, unjoined. */
  headerValues(name: string): readonly string[];
  /** The names of all headers, in lower case. */
  headerNames(): readonly string[];
  /** The whole body. Rejects with a StatusError when it is larger than allowed. */
  body(): Promise<Uint8Array>;
  /** The peer of the connection, where a client certificate or the program itself identifies it. */
  readonly peer: Peer | undefined;
  readonly remoteAddress: string;
  /** Aborted when the client is gone or the request took too long. */
  readonly signal: AbortSignal;
  /** The place of the request among those at work, from when it has one. */
  seat?: Seat | undefined;
}

/** The place of a request among those that the server works on. */
export interface Seat {
  /** The user who has it. */
  readonly holder: string;
  /** Waits for something that is no work of the server, and lets others have the seat meanwhile. */
  without<T>(wait: Promise<T>): Promise<T>;
}

/** Waits for something that is no work of the server. */
export function waitWithoutSeat<T>({ seat }: Pick<Call, "seat">, wait: Promise<T>): Promise<T> {
  return seat === undefined ? wait : seat.without(wait);
}

/** The part of a call that handlers see. Its target and selectors were read before it was authorized, and are not read again. */
export type Sent = Pick<Call, "header" | "body" | "signal" | "seat">;

/** An identity that needs no further proof: a verified client certificate, or the server's own components. */
export interface Peer {
  readonly username: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The answer to a call: content, or a stream. */
export type Answer = Content | Stream;

/** An answer with a body. */
export interface Content {
  readonly code: number;
  readonly type: string;
  readonly body: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer as data, where it was made from data: a Status. */
  readonly value?: unknown;
}

/** An answer without its own end: a watch. */
export interface Stream {
  readonly code: number;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Starts to write; called once, after the head was sent. */
  open(sink: Sink): void;
}

/** The receiver of a stream. */
export interface Sink {
  write(chunk: Uint8Array): void;
  /** Until `release` or the end, written bytes may wait to be sent together. */
  hold(): void;
  release(): void;
  end(): void;
  /** Ends at once and drops unread bytes: for clients that do not read. */
  cut(): void;
  /** Bytes that were written and not yet taken by the client. */
  readonly pending: number;
  /** Called once, when the client has gone or the stream has ended. */
  onClose(listener: () => void): void;
}

export function isStream(answer: Answer): answer is Stream {
  return "open" in answer;
}
