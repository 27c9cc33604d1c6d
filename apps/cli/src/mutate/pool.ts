// Threads that share the work of mutation testing. Workers take mutants as they become free; the results do not depend on the distribution.

import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Performer, PolicyMutation } from "@celadon/testing/mutate";
import { UsageError } from "../program/exit.ts";
import { MOST_THREADS } from "./options.ts";
import { planText, type Reply, type Setup, type Task } from "./tasks.ts";

/** Below this a thread takes longer to start than it saves. */
const WORTH_A_THREAD = 150;
/** Mutants handed out at once: few, so that time is kept. */
const BATCH = 8;

/** The place to which bundling writes the worker, seen from any chunk of the bundle; sources are run without threads. */
const ENTRY = new URL("../mutate/worker.js", import.meta.url);

export interface Pool extends Performer {
  close(): Promise<void>;
}

/** The number of threads for a number of mutants on this machine. */
export function threadsFor(mutants: number): number {
  return Math.min(availableParallelism(), MOST_THREADS, Math.floor(mutants / WORTH_A_THREAD));
}

/** Undefined if fewer than two threads are requested or available. */
export function openPool(mutation: PolicyMutation, setup: Setup, count: number, signal: AbortSignal): Pool | undefined {
  // Standard input can be read once only.
  if (count < 2 || setup.paths.includes("-") || !existsSync(fileURLToPath(ENTRY))) return undefined;
  const plan = planText(mutation);
  const threads = Array.from({ length: count }, () => new Thread(setup, plan));
  const stop = (): void => void Promise.all(threads.map((thread) => thread.close()));
  signal.addEventListener("abort", stop);
  const share = (next: () => Task | undefined, done: (reply: Reply) => void): Promise<unknown> =>
    Promise.all(
      threads.map(async (thread) => {
        for (let task = next(); task !== undefined; task = next()) done(await thread.ask(task));
      }),
    );
  return {
    async fates(indices, expired, each) {
      let at = 0;
      const next = (): Task | undefined => {
        if (at >= indices.length || expired()) return undefined;
        const batch = indices.slice(at, at + BATCH);
        at += batch.length;
        return { task: "fates", indices: batch };
      };
      await share(next, (reply) => {
        if (reply.reply === "fates") for (const [index, fate] of reply.fates) each(index, fate);
      });
    },
    async witnesses(indices, expired, each) {
      let at = 0;
      const next = (): Task | undefined =>
        at >= indices.length || expired() ? undefined : { task: "witness", index: indices[at++]! };
      await share(next, (reply) => {
        if (reply.reply === "witness") each(reply.index, reply.found);
      });
    },
    async close() {
      signal.removeEventListener("abort", stop);
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

class Thread {
  readonly #worker: Worker;
  readonly #ready: Promise<void>;
  #waiting: { resolve(reply: Reply): void; reject(error: unknown): void } | undefined;

  constructor(setup: Setup, plan: string) {
    this.#worker = new Worker(ENTRY, { workerData: setup });
    this.#worker.on("message", (reply: Reply) => this.#waiting?.resolve(reply));
    this.#worker.on("error", (error) => this.#waiting?.reject(error));
    this.#worker.on("exit", () => this.#waiting?.reject(new Error("a thread of mutation testing ended early")));
    this.#ready = this.#next().then((reply) => {
      if (reply.reply === "failed") throw new UsageError(`a thread cannot read the suites: ${reply.message}`);
      if (reply.reply === "ready" && reply.plan !== plan) throw new UsageError("files changed while they were tested");
    });
    // The first caller gets the error.
    this.#ready.catch(() => {});
  }

  async ask(task: Task): Promise<Reply> {
    await this.#ready;
    this.#worker.postMessage(task);
    return this.#next();
  }

  async close(): Promise<void> {
    this.#waiting = undefined;
    await this.#worker.terminate();
  }

  #next(): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }
}
