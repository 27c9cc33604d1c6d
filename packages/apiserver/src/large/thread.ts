// The thread that works on large requests: started for the first one, ended when there were none for a while, when it does not answer any more,
// or when it needs too much memory. Then only the requests it works on are lost.

import { MessageChannel, Worker } from "node:worker_threads";
import { requestEntityTooLarge, type Status, timeout } from "@celadon/kube/status";
import type { Store } from "@celadon/storage";
import { StatusError } from "../wire/status-error.ts";
import type { FromThread, LargeAnswer, LargeRequest, ThreadData, ToThread } from "./messages.ts";
import { serveStore } from "./store-port.ts";

/** The time for which a thread may be busy without a pause, and the interval of checks. */
const SILENCE_MS = 20_000;
const LOOK_MS = 2_000;
/** The time for which it is kept without work. */
const IDLE_MS = 60_000;
/** The limit of its heap: a body of 3 MiB takes up to a fourth of it. */
const HEAP_MB = 1_024;

export type ThreadSetup = Omit<ThreadData, "store">;

interface Waiting {
  resolve(answer: LargeAnswer): void;
  reject(error: Error): void;
}

export class LargeThread {
  readonly #worker: Worker;
  readonly #ready: Promise<void>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #gone: () => void;
  #heard = Date.now();
  #worked = Date.now();
  #end: Status = timeout("the thread for large requests was ended", 1);
  readonly #timer: NodeJS.Timeout;

  /** `gone` is called once, when the thread takes no more requests. */
  constructor(entry: URL, setup: ThreadSetup, store: Store, gone: () => void, heapMb: number = HEAP_MB) {
    const { port1, port2 } = new MessageChannel();
    serveStore(store, port1);
    port1.unref();
    this.#gone = gone;
    this.#worker = new Worker(entry, {
      workerData: { ...setup, store: port2 } satisfies ThreadData,
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      stdin: false,
    });
    this.#worker.unref();
    let started: () => void = () => {};
    let failed: (error: Error) => void = () => {};
    this.#ready = new Promise((resolve, reject) => {
      started = resolve;
      failed = reject;
    });
    this.#ready.catch(() => {});
    this.#worker.on("message", (message: FromThread) => {
      this.#heard = Date.now();
      if (message.message === "ready") started();
      else if (message.message === "answer") this.#answered(message.answer);
    });
    this.#worker.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") this.#end = TOO_MUCH_MEMORY;
      failed(error);
    });
    this.#worker.once("exit", () => {
      failed(new Error("the thread for large requests ended"));
      this.#close();
      port1.close();
    });
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  get isBusy(): boolean {
    return this.#waiting.size > 0;
  }

  async answer(request: LargeRequest, signal: AbortSignal): Promise<LargeAnswer> {
    if (this.#waiting.size === 0) this.#heard = Date.now();
    const answered = new Promise<LargeAnswer>((resolve, reject) => this.#waiting.set(request.id, { resolve, reject }));
    const abort = (): void => this.#send({ message: "abort", id: request.id });
    try {
      await Promise.race([this.#ready, answered]);
      this.#send({ message: "request", request });
      signal.addEventListener("abort", abort, { once: true });
      return await answered;
    } finally {
      signal.removeEventListener("abort", abort);
      this.#waiting.delete(request.id);
      this.#worked = Date.now();
    }
  }

  async end(): Promise<void> {
    this.#close();
    await this.#worker.terminate();
  }

  #send(message: ToThread): void {
    // A body is sent with its memory where nobody else has it.
    this.#worker.postMessage(message);
  }

  #answered(answer: LargeAnswer): void {
    this.#waiting.get(answer.id)?.resolve(answer);
  }

  #look(): void {
    const now = Date.now();
    if (this.#waiting.size === 0) {
      if (now - this.#worked > IDLE_MS) void this.end();
    } else if (now - this.#heard > SILENCE_MS) {
      this.#end = TOO_LONG;
      void this.end();
    } else this.#send({ message: "ping" });
  }

  #close(): void {
    clearInterval(this.#timer);
    this.#gone();
    for (const { reject } of this.#waiting.values()) reject(new StatusError(this.#end));
    this.#waiting.clear();
  }
}

const TOO_LONG = timeout("request did not complete within the allotted timeout", 0);
const TOO_MUCH_MEMORY = requestEntityTooLarge("the request needs more memory than the server gives to large requests");
