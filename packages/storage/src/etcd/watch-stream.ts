// One watch of etcd: transactions in order, whole again when etcd sent them in fragments, until it ends.

import { compactedError, StoreError } from "../error.ts";
import type { Client } from "./client.ts";
import type { CallFailure, Connection, Stream } from "./connection.ts";
import {
  decodeWatch,
  encodeWatchCreate,
  encodeWatchProgress,
  METHOD,
  type WatchCreate,
  type WatchEvent,
} from "./messages.ts";
import { WireReader } from "./wire.ts";

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

  constructor(client: Client, create: WatchCreate, on: WatchEvents) {
    this.#client = client;
    this.#create = create;
    this.#on = on;
    void this.#open();
  }

  /** Asks for a progress notice. */
  requestProgress(): void {
    this.#stream?.send(encodeWatchProgress().finish());
  }

  close(): void {
    this.#isOver = true;
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
    } catch (error) {
      this.#end(error as StoreError);
    }
  }

  #message(message: Buffer): void {
    if (this.#isOver) return;
    const response = decodeWatch(new WireReader(message));
    if (response.canceled) {
      if (response.cancelReason.includes("auth token")) this.#client.forgetToken();
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
    if (response.fragment || this.#fragments.length > 0) this.#fragments.push(...response.events);
    if (response.fragment) return;
    const events = this.#fragments.length > 0 ? this.#fragments : response.events;
    this.#fragments = [];
    this.#on.events(events);
  }

  #end(failure: StoreError | CallFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stream?.close();
    const isCompacted = failure instanceof StoreError && failure.code === "compacted";
    if (!isCompacted && this.#connection !== undefined) this.#client.leave(this.#connection);
    this.#on.end(failure);
  }
}
