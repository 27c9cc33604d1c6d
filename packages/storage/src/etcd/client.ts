// Calls to a cluster: one member at a time, another if it fails, a token if users must authenticate, a deadline for
// every call.

import { StoreError } from "../error.ts";
import { WireError } from "../wire/wire-reader.ts";
import {
  CallFailure,
  Connection,
  type ConnectionOptions,
  type Metadata,
  STATUS,
  type Stream,
  type StreamEvents,
} from "./connection.ts";
import { isDown, remedyOf, storeFailure } from "./failure.ts";
import { FieldReader, type FieldWriter } from "./fields.ts";
import { decodeAuthenticate, encodeAuthenticate, METHOD } from "./messages.ts";

export interface ClientOptions extends Omit<ConnectionOptions, "connectTimeout"> {
  readonly endpoints: readonly string[];
  readonly user?: string;
  readonly password?: string;
  /** Milliseconds a call may take with all its attempts, and one attempt. */
  readonly timeout: number;
  readonly attemptTimeout: number;
}

export interface Call {
  readonly method: string;
  readonly request: FieldWriter;
  /** A failed read may be repeated; a failed write only if it was surely not carried out. */
  readonly isRead: boolean;
  /** The requested revision, for the error. */
  readonly revision?: number | undefined;
}

/** Milliseconds before the next attempt; grows to the second. */
const PAUSE = 50;
const LONGEST_PAUSE = 500;

export class Client {
  readonly #options: ClientOptions;
  readonly #connections: readonly Connection[];
  #active = 0;
  #token: Promise<string> | undefined;
  #closed = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#connections = options.endpoints.map(
      (endpoint) => new Connection(endpoint, { ...options, connectTimeout: options.attemptTimeout }),
    );
  }

  get attemptTimeout(): number {
    return this.#options.attemptTimeout;
  }

  /** Makes a call and reads its answer. */
  async call<T>(call: Call, decode: (reader: FieldReader) => T): Promise<T> {
    const message = call.request.finish();
    const deadline = Date.now() + this.#options.timeout;
    for (let pause = PAUSE, authenticated = false; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const connection = this.#connections[this.#active]!;
      try {
        const metadata = await this.#metadata(deadline);
        const timeout = Math.max(1, Math.min(deadline - Date.now(), this.#options.attemptTimeout));
        return await this.#attempt(connection, call.method, message, metadata, timeout, decode);
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        if (this.#closed) throw new StoreError("closed", "the store is closed", { cause: error });
        const remedy = remedyOf(error, call.isRead);
        if (isDown(error)) this.leave(connection);
        const isOver = Date.now() + pause >= deadline;
        if (remedy === "throw" || isOver || (remedy === "authenticate" && authenticated)) {
          throw storeFailure(error, call.isRead, call.revision);
        }
        if (remedy === "authenticate") {
          if (this.#options.user === undefined) throw storeFailure(error, call.isRead);
          this.#token = undefined;
          authenticated = true;
        } else {
          await new Promise((resolve) => setTimeout(resolve, pause));
        }
      }
    }
  }

  async #attempt<T>(
    connection: Connection,
    method: string,
    message: Uint8Array,
    metadata: Metadata,
    timeout: number,
    decode: (reader: FieldReader) => T,
  ): Promise<T> {
    const answer = await connection.call(method, message, metadata, timeout);
    try {
      return decode(new FieldReader(answer));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      throw strangeAnswer(connection, error);
    }
  }

  /** A stream to the member in use. */
  async stream(method: string, events: StreamEvents): Promise<{ stream: Stream; connection: Connection }> {
    const metadata = await this.#metadata(Date.now() + this.#options.timeout);
    const connection = this.#connections[this.#active]!;
    return { stream: connection.stream(method, metadata, events), connection };
  }

  /** Goes to the next member, if that one is still in use. */
  leave(connection: Connection): void {
    if (this.#connections[this.#active] !== connection) return;
    connection.reset();
    this.#active = (this.#active + 1) % this.#connections.length;
  }

  /** The token may have expired. */
  forgetToken(): void {
    this.#token = undefined;
  }

  close(): void {
    this.#closed = true;
    for (const connection of this.#connections) connection.close();
  }

  /** A member without a leader answers at once, and does not hold the call until there is one. */
  async #metadata(deadline: number): Promise<Metadata> {
    if (this.#options.user === undefined) return { hasleader: "true" };
    this.#token ??= this.#authenticate(this.#options.user, deadline).catch((error: unknown) => {
      this.#token = undefined;
      throw error;
    });
    return { hasleader: "true", token: await this.#token };
  }

  async #authenticate(user: string, deadline: number): Promise<string> {
    const message = encodeAuthenticate(user, this.#options.password ?? "").finish();
    for (;;) {
      const connection = this.#connections[this.#active]!;
      try {
        const timeout = Math.max(1, Math.min(deadline - Date.now(), this.#options.attemptTimeout));
        const metadata = { hasleader: "true" };
        return await this.#attempt(connection, METHOD.authenticate, message, metadata, timeout, decodeAuthenticate);
      } catch (error) {
        if (!(error instanceof CallFailure) || remedyOf(error, true) !== "elsewhere" || Date.now() >= deadline) {
          throw error instanceof CallFailure ? storeFailure(error, true) : error;
        }
        this.leave(connection);
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
  }
}

/** A member that does not answer as etcd does counts as unavailable. */
export function strangeAnswer({ endpoint }: Connection, error: WireError): CallFailure {
  return new CallFailure(STATUS.unavailable, `${endpoint} does not respond as etcd does: ${error.message}`, true);
}
