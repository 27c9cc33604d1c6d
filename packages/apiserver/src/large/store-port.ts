// A store for another thread: every call is a message and its answer. Watches are pulled, so that a busy thread has no queue before it but
// the store's own.

import type { MessagePort } from "node:worker_threads";
import {
  type Changes,
  type Counted,
  type Got,
  type ListKeysOptions,
  type Notice,
  type Page,
  type Revision,
  type Store,
  StoreError,
  type TransactionResult,
  type Watch,
  type WatchKeysOptions,
} from "@celadon/storage";

/** A thread's call of a store; `watch` of requests about one watch. */
type StoreRequest =
  | { readonly ask: "revision" }
  | { readonly ask: "requestProgress" }
  | { readonly ask: "get" | "list" | "count"; readonly key: string; readonly options?: object | undefined }
  | { readonly ask: "write"; readonly operations: Parameters<Store["write"]>[0] }
  | {
      readonly ask: "watch";
      readonly watch: number;
      readonly prefix: string;
      readonly options?: WatchKeysOptions | undefined;
    }
  | { readonly ask: "next" | "close"; readonly watch: number };

type Answered =
  | { readonly value: unknown }
  | { readonly failure: Pick<StoreError, "message" | "code" | "compactRevision" | "outcomeUnknown"> };

type Question = StoreRequest & { readonly id: number };
type Reply = Answered & { readonly id: number };

/** Answers requests that come through a port from a store, until the port is closed. */
export function serveStore(store: Store, port: MessagePort): void {
  const watches = new Map<number, Watch>();
  const answer = async (asked: StoreRequest): Promise<unknown> => {
    switch (asked.ask) {
      case "revision":
        return store.revision();
      case "requestProgress":
        return store.requestProgress();
      case "get":
        return store.get(asked.key, asked.options);
      case "list":
        return store.list(asked.key, asked.options);
      case "count":
        return store.count(asked.key, asked.options);
      case "write":
        return store.write(asked.operations);
      case "watch":
        watches.set(asked.watch, store.watch(asked.prefix, asked.options));
        return undefined;
      case "next":
        return (await watches.get(asked.watch)?.next())?.value;
      case "close":
        watches.get(asked.watch)?.close();
        watches.delete(asked.watch);
        return undefined;
    }
  };
  port.on("message", ({ id, ...asked }: Question) => {
    answer(asked as StoreRequest).then(
      (value) => port.postMessage({ id, value } satisfies Reply),
      (error: unknown) => port.postMessage({ id, failure: failureOf(error) } satisfies Reply),
    );
  });
  port.once("close", () => {
    for (const watch of watches.values()) watch.close();
    watches.clear();
  });
}

function failureOf(error: unknown): Extract<Answered, { failure: unknown }>["failure"] {
  const { message } = error as Error;
  if (!(error instanceof StoreError))
    return { message, code: "unavailable", compactRevision: undefined, outcomeUnknown: true };
  const { code, compactRevision, outcomeUnknown } = error;
  return { message, code, compactRevision, outcomeUnknown };
}

/** Entries of one answer: a whole prefix at once would hold up the thread that has the store. */
const PAGE = 500;

/** The store at the other end of a port. Closing it leaves the store open. */
export class PortStore implements Store {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #asked = 0;
  #isClosed = false;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", (reply: Reply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ("failure" in reply) {
        const { message, code, compactRevision, outcomeUnknown } = reply.failure;
        const more = { outcomeUnknown, ...(compactRevision !== undefined && { compactRevision }) };
        waiting?.reject(new StoreError(code, message, more));
      } else waiting?.resolve(reply.value);
    });
  }

  #ask<T>(asked: StoreRequest): Promise<T> {
    if (this.#isClosed) return Promise.reject(new StoreError("closed", "the store is closed"));
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#port.postMessage({ ...asked, id } satisfies Question);
    });
  }

  revision(): Promise<Revision> {
    return this.#ask({ ask: "revision" });
  }

  get(key: string, options?: { readonly revision?: Revision }): Promise<Got> {
    return this.#ask({ ask: "get", key, options });
  }

  async list(prefix: string, options: ListKeysOptions = {}): Promise<Page> {
    const { limit = 0 } = options;
    const entries: Page["entries"][number][] = [];
    let { after, revision } = options;
    for (;;) {
      const most = limit === 0 ? PAGE : Math.min(PAGE, limit - entries.length);
      const range = {
        ...options,
        limit: most,
        ...(after !== undefined && { after }),
        ...(revision !== undefined && { revision }),
      };
      const page = await this.#ask<Page>({ ask: "list", key: prefix, options: range });
      for (const entry of page.entries) entries.push(entry);
      if (!page.more || entries.length === limit) return { ...page, entries };
      after = page.entries.at(-1)!.key;
      revision = page.revision;
    }
  }

  count(prefix: string, options?: { readonly revision?: Revision }): Promise<Counted> {
    return this.#ask({ ask: "count", key: prefix, options });
  }

  write(operations: Parameters<Store["write"]>[0]): Promise<TransactionResult> {
    return this.#ask({ ask: "write", operations });
  }

  watch(prefix: string, options?: WatchKeysOptions): Watch {
    const watch = ++this.#asked;
    let isOpen = true;
    const opened = this.#ask({ ask: "watch", watch, prefix, options });
    // The first one who reads learns of a failure.
    opened.catch(() => {});
    const close = (): void => {
      // A port that is closed meanwhile has closed its watches.
      if (isOpen) this.#ask({ ask: "close", watch }).catch(() => {});
      isOpen = false;
    };
    const end = (): Promise<IteratorResult<Notice, undefined>> => {
      close();
      return Promise.resolve({ done: true, value: undefined });
    };
    const next = async (): Promise<IteratorResult<Notice, undefined>> => {
      await opened;
      if (!isOpen) return end();
      const value = await this.#ask<Changes | Notice | undefined>({ ask: "next", watch });
      return value === undefined ? end() : { done: false, value };
    };
    const made: Watch = { next, return: end, close, [Symbol.asyncIterator]: () => made };
    return made;
  }

  requestProgress(): Promise<void> {
    return this.#ask({ ask: "requestProgress" });
  }

  /** The server that has the store does that. */
  compact(): Promise<void> {
    return Promise.reject(new StoreError("denied", "this thread does not compact the store"));
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#port.close();
    for (const { reject } of this.#waiting.values()) reject(new StoreError("closed", "the store is closed"));
    this.#waiting.clear();
    return Promise.resolve();
  }
}
