// The worker as the page knows it: changes with versions, answers to the newest alone, questions that wait for a reply. A worker that
// is slow is waited for as long as nothing newer was sent; then the newest work gets a new worker. Loading does not count, and
// a worker that could not load a part of itself is started again.

import type { Work, WorkRequest, WorkText } from "@celadon/language/playground";
import type { Order, Question, Replies, TextChange, WorkerMessage } from "../model/protocol.ts";
import type { Slate } from "../model/slate.ts";

/** Without a report for this long, an answer is late; every million characters of the texts adds to it. */
const LATE_MS = 8_000;
const LATE_MS_PER_MILLION = 16_000;

/** A late answer is given up after as many times that. */
const GIVE_UP_AFTER = 8;

/** The number of times a worker that did not load is started again, and the time before the first of these. */
const LOADS = 3;
const LOAD_AGAIN_MS = 400;

/** The page as a link sees it. */
export interface EngineHost {
  readonly work: () => Work;
  /** Characters of all texts. */
  readonly size: () => number;
  readonly spawn: () => Worker;
  /** Memory for a worker to write its answers in, where it can be shared; then it is read before the next frame is drawn. */
  readonly share: () => Slate | undefined;
  readonly beforeFrame: (act: () => void) => void;
}

export interface EngineEvents {
  readonly report: (report: WorkerMessage) => void;
  /** The answer is late and still awaited. */
  readonly late: () => void;
  /** The answer is not awaited any more, because the user stopped it or after a long time. */
  readonly stopped: () => void;
  /** The worker, or a part of it, cannot be loaded. */
  readonly unloadable: () => void;
}

export class EngineLink {
  readonly #host: EngineHost;
  readonly #events: EngineEvents;
  #worker: Worker | undefined;
  #slate: Slate | undefined;
  #isReady = false;
  #loads = 0;
  #version = 0;
  #answered = 0;
  #number = 0;
  readonly #waiting = new Map<number, (reply: never) => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The newest version when the timer was set. */
  #timed = 0;
  #isLate = false;

  constructor(host: EngineHost, events: EngineEvents) {
    this.#host = host;
    this.#events = events;
  }

  /** All of it, as after an example was opened. */
  sendWork(): void {
    if (this.#isLate) this.#end();
    this.#send({ is: "work", version: ++this.#version, work: this.#host.work() });
  }

  sendChange(text: WorkText, changes: readonly TextChange[]): void {
    if (this.#worker === undefined || this.#isLate) this.sendWork();
    else this.#send({ is: "change", version: ++this.#version, text, changes });
  }

  sendRequest(request: WorkRequest, kubeVersion: string | undefined): void {
    if (this.#worker === undefined || this.#isLate) this.sendWork();
    else this.#send({ is: "request", version: ++this.#version, request, ...(kubeVersion && { kubeVersion }) });
  }

  /** Makes the answer about one of several objects. */
  select(object: number): void {
    if (this.#worker === undefined || this.#isLate) this.sendWork();
    else this.#send({ is: "select", version: ++this.#version, object });
  }

  ask<W extends keyof Replies>(question: Question & { readonly what: W }): Promise<Replies[W] | undefined> {
    if (this.#worker === undefined) return Promise.resolve(undefined);
    const number = ++this.#number;
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve as (reply: never) => void);
      this.#worker?.postMessage({ is: "ask", number, version: this.#version, ...question } satisfies Order);
    });
  }

  /** Takes the answer from shared memory if it has arrived; its message comes after the next frame. */
  look(): void {
    if (this.#answered === this.#version) return;
    const answer = this.#slate?.read(this.#version);
    if (answer !== undefined) this.#take({ is: "answer", version: this.#version, answer });
  }

  /** Ends the worker; the next change starts another. */
  stop(): void {
    this.#end();
    if (this.#answered !== this.#version) this.#events.stopped();
  }

  #send(order: Order): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(order);
    if (this.#slate !== undefined) this.#host.beforeFrame(() => this.look());
    if (this.#isReady && this.#timer === undefined) this.#setTimer();
  }

  #start(): Worker {
    const worker = this.#host.spawn();
    this.#isReady = false;
    this.#slate = this.#host.share();
    if (this.#slate !== undefined) worker.postMessage({ is: "slate", buffer: this.#slate.buffer } satisfies Order);
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      if (worker === this.#worker) this.#take(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#loadAgain();
    };
    return worker;
  }

  #take(report: WorkerMessage): void {
    switch (report.is) {
      case "reply":
        this.#waiting.get(report.number)?.(report.reply as never);
        this.#waiting.delete(report.number);
        return;
      case "ready":
        this.#isReady = true;
        this.#setTimer();
        return;
      case "unloaded":
        this.#loadAgain();
        return;
      default:
        break;
    }
    this.#clearTimer();
    if (report.version !== this.#version) {
      // It works, on something older.
      this.#setTimer();
      return;
    }
    const isKnown = report.is === "answer" && this.#answered === report.version;
    if (report.is === "answer" || report.is === "failed") this.#answered = report.version;
    if (report.is === "done") this.#loads = 0;
    else if (report.is !== "failed") this.#setTimer();
    if (!isKnown) this.#events.report(report);
  }

  #setTimer(): void {
    this.#clearTimer();
    this.#timed = this.#version;
    this.#timer = setTimeout(() => this.#late(), this.#patience());
  }

  #patience(): number {
    return LATE_MS + (this.#host.size() / 1_000_000) * LATE_MS_PER_MILLION;
  }

  #late(): void {
    if (this.#timed !== this.#version) {
      this.#isLate = true;
      this.sendWork();
      return;
    }
    this.#clearTimer();
    this.#isLate = true;
    this.#timer = setTimeout(() => this.stop(), this.#patience() * GIVE_UP_AFTER);
    if (this.#answered !== this.#version) this.#events.late();
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isLate = false;
  }

  /** A new worker requests its files again; one that failed does not, in some browsers. */
  #loadAgain(): void {
    this.#end();
    if (++this.#loads > LOADS) {
      this.#loads = 0;
      this.#events.unloadable();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#clearTimer();
      this.sendWork();
    }, LOAD_AGAIN_MS * this.#loads);
  }

  #end(): void {
    this.#clearTimer();
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#slate = undefined;
    for (const resolve of this.#waiting.values()) (resolve as (reply: undefined) => void)(undefined);
    this.#waiting.clear();
  }
}
