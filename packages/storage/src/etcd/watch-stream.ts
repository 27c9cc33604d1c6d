// One watch of etcd: transactions in order, whole again when etcd sent them in fragments, until it ends.

import { compactedError, StoreError } from "../error.ts";
import { WireError } from "../wire/wire-reader.ts";
import { type Client, strangeAnswer } from "./client.ts";
import { CallFailure, type Connection, STATUS, type Stream } from "./connection.ts";
import { isAboutToken } from "./failure.ts";
import { FieldReader } from "./fields.ts";
import {
  decodeWatch,
  encodeWatchCreate,
  encodeWatchProgress,
  METHOD,
  type WatchCreate,
  type WatchEvent,
  type WatchResponse,
} from "./messages.ts";

export interface WatchEvents {
  /** The events of whole transactions, in order. */
  readonly events: (events: readonly WatchEvent[]) => void;
  /** Everything up to this revision was delivered. */
  readonly progress: (revision: number) => void;
  /** Called once, unless the watch was closed from this side; `compacted` when history is gone, else it may be opened again. */
  readonly end: (failure: StoreError | CallFailure) => void;
}

export class WatchStream {
  readonly #client: Client;
  readonly #create: WatchCreate;
  readonly #on: WatchEvents;
  #fragments: WatchEvent[] = [];
  #stream: Stream | undefined;
  #connection: Connection | undefined;
  #isOver = false;
  /** The last revision of an event; later ones are not before it. */
  #last: number;
  #late: NodeJS.Timeout | undefined;

  constructor(client: Client, create: WatchCreate, on: WatchEvents) {
    this.#client = client;
    this.#create = create;
    this.#on = on;
    this.#last = create.startRevision;
    void this.#open();
  }

  /** Asks for a progress notice. */
  requestProgress(): void {
    this.#stream?.send(encodeWatchProgress().finish());
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#late);
    this.#stream?.close();
  }

  async #open(): Promise<void> {
    try {
      const { stream, connection } = await this.#client.stream(METHOD.watch, {
        message: (message) => this.#message(message),
        end: (failure) => this.#end(failure),
      });
      this.#connection = connection;
      if (this.#isOver) {
        stream.close();
        return;
      }
      this.#stream = stream;
      stream.send(encodeWatchCreate(this.#create).finish());
      const { attemptTimeout } = this.#client;
      this.#late = setTimeout(() => {
        this.#end(
          new CallFailure(
            STATUS.deadlineExceeded,
            `${connection.endpoint} did not open a watch within ${attemptTimeout} ms`,
            true,
          ),
        );
      }, attemptTimeout);
      this.#late.unref();
    } catch (error) {
      this.#end(error as StoreError);
    }
  }

  #message(message: Buffer): void {
    if (this.#isOver) return;
    clearTimeout(this.#late);
    try {
      this.#response(decodeWatch(new FieldReader(message)));
    } catch (error) {
      if (!(error instanceof WireError) || this.#connection === undefined) throw error;
      this.#end(strangeAnswer(this.#connection, error));
    }
  }

  #response(response: WatchResponse): void {
    if (response.canceled) {
      if (isAboutToken(response.cancelReason)) this.#client.forgetToken();
      this.#end(
        response.compactRevision > 0
          ? compactedError(this.#create.startRevision, response.compactRevision)
          : new StoreError("unavailable", `etcd ended a watch: ${response.cancelReason}`),
      );
      return;
    }
    if (response.created) return;
    if (response.events.length === 0) {
      if (!response.fragment && this.#fragments.length === 0) this.#on.progress(response.revision);
      return;
    }
    for (const { entry } of response.events) {
      if (entry.modRevision < this.#last) throw new WireError(`revision ${entry.modRevision} after ${this.#last}`);
      this.#last = entry.modRevision;
    }
    this.#deliver(response);
  }

  /** Whole transactions are delivered; the last one of a fragment may go on in the next. */
  #deliver({ events, fragment }: WatchResponse): void {
    const all = this.#fragments.length > 0 ? [...this.#fragments, ...events] : events;
    const whole = fragment ? all.findIndex(({ entry }) => entry.modRevision === this.#last) : all.length;
    this.#fragments = all.slice(whole);
    if (whole > 0) this.#on.events(all.slice(0, whole));
  }

  #end(failure: StoreError | CallFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#late);
    this.#stream?.close();
    const isCompacted = failure instanceof StoreError && failure.code === "compacted";
    if (!isCompacted && this.#connection !== undefined) this.#client.leave(this.#connection);
    this.#on.end(failure);
  }
}
