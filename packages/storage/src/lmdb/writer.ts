// Group commit. One group is planned, committed and flushed at a time; what arrives meanwhile is the next group, so a flush is shared
// by all who wait for it. Answers and watch events are given after the flush, in order.

import { closedError, StoreError } from "../error.ts";
import type { Changes, Operation, Written } from "../store.ts";
import { commit, type Environment } from "./environment.ts";
import { commitFailure, freeBytes, noSpace } from "./failure.ts";
import type { State } from "./format.ts";
import { Plan } from "./plan.ts";
import { Snapshot } from "./snapshot.ts";

/** Bounds of one group, so that a flush stays short. */
const GROUP_REQUESTS = 5_000;
const GROUP_BYTES = 16 * 1024 * 1024;

interface Request {
  readonly operations: readonly Operation[];
  readonly resolve: (written: Written) => void;
  readonly reject: (error: StoreError) => void;
}

interface Outcome {
  readonly request: Request;
  readonly result: Written | StoreError;
}

interface Task {
  readonly run: () => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface WriterOptions {
  readonly directory: string;
  readonly environment: () => Environment;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Writes that add data are refused when less is free on the disk; the rest is for deletions and compaction. */
  readonly minFreeBytes: number;
  /** True when watchers want the changes. */
  readonly watched: () => boolean;
  readonly publish: (batch: Changes) => void;
  /** Called after every group. */
  readonly committed: (state: State) => void;
}

export class Writer {
  readonly #options: WriterOptions;
  #requests: Request[] = [];
  readonly #tasks: Task[] = [];
  #due: { keys: readonly string[]; second: number; done: (written: boolean) => void } | undefined;
  #running: Promise<void> | undefined;
  #closed = false;
  /** Set when a flush failed for another reason than space: what is on disk is then unknown until the store is opened again. */
  #failure: StoreError | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  write(operations: readonly Operation[]): Promise<Written> {
    return new Promise((resolve, reject) => {
      const refused = this.#refusal();
      if (refused !== undefined) {
        reject(refused);
        return;
      }
      this.#requests.push({ operations, resolve, reject });
      this.#start();
    });
  }

  /** Runs something between groups, so that nothing is written meanwhile. */
  exclusive(run: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const refused = this.#refusal();
      if (refused !== undefined) {
        reject(refused);
        return;
      }
      this.#tasks.push({ run, resolve, reject });
      this.#start();
    });
  }

  /** Deletes those of the keys that are due by then; says whether that was written. */
  expire(keys: readonly string[], second: number): Promise<boolean> {
    return new Promise((done) => {
      if (this.#refusal() !== undefined) {
        done(false);
        return;
      }
      this.#due = { keys, second, done };
      this.#start();
    });
  }

  /** Refuses new writes and waits for those under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  #refusal(): StoreError | undefined {
    return this.#closed ? closedError() : this.#failure;
  }

  #start(): void {
    this.#running ??= Promise.resolve().then(async () => {
      while (this.#requests.length > 0 || this.#tasks.length > 0 || this.#due !== undefined) {
        if (this.#requests.length > 0 || this.#due !== undefined) await this.#group();
        const task = this.#tasks.shift();
        if (task !== undefined) await task.run().then(task.resolve, task.reject);
      }
      this.#running = undefined;
    });
  }

  async #group(): Promise<void> {
    const due = this.#due;
    this.#due = undefined;
    const environment = this.#options.environment();
    const snapshot = new Snapshot(environment);
    const plan = new Plan(snapshot, this.#options.now);
    const outcomes: Outcome[] = [];
    try {
      if (due !== undefined) plan.expire(due.keys, due.second);
      this.#take(plan, outcomes);
      if (plan.planned.length > 0) await commit(environment, plan.puts());
    } catch (error) {
      const failure = await commitFailure(error, this.#options.directory, plan.bytes * 4);
      if (failure.code !== "no_space") this.#fail(failure);
      for (const { request } of outcomes) request.reject(failure);
      due?.done(false);
      return;
    } finally {
      snapshot.done();
    }
    this.#publish(plan);
    for (const { request, result } of outcomes) {
      if (result instanceof StoreError) request.reject(result);
      else request.resolve(result);
    }
    due?.done(true);
    this.#options.committed(plan.state);
  }

  /** Plans waiting requests until the group is full. */
  #take(plan: Plan, outcomes: Outcome[]): void {
    const { directory, minFreeBytes } = this.#options;
    const spare = freeBytes(directory) - minFreeBytes;
    const taken = this.#requests.splice(0, GROUP_REQUESTS);
    let next = 0;
    for (; next < taken.length && plan.bytes < GROUP_BYTES; next++) {
      const request = taken[next]!;
      const adds = request.operations.some(({ op }) => op === "put");
      outcomes.push({
        request,
        result: adds && spare < plan.bytes ? noSpace(directory) : plan.add(request.operations),
      });
    }
    if (next < taken.length) this.#requests = [...taken.slice(next), ...this.#requests];
  }

  #publish(plan: Plan): void {
    if (plan.planned.length === 0) return;
    const snapshot = this.#options.watched() ? new Snapshot(this.#options.environment()) : undefined;
    for (const { revision, changes } of plan.planned) {
      this.#options.publish({
        type: "changes",
        revision,
        changes: changes.map(({ change, before }) => {
          if (snapshot === undefined || before === undefined) return change;
          return { ...change, previous: snapshot.entryAtPlace(before) };
        }),
      });
    }
    snapshot?.done();
  }

  #fail(failure: StoreError): void {
    this.#failure = failure;
    for (const request of this.#requests.splice(0)) request.reject(failure);
    for (const task of this.#tasks.splice(0)) task.reject(failure);
    this.#due?.done(false);
    this.#due = undefined;
  }
}
