// Group commit. One group is planned, committed and flushed at a time; what arrives meanwhile is the next group, so a flush is shared
// by all who wait for it. Answers and watch events are given after the flush, in order. Writers that were just answered come back within
// moments, each with its next write: a group waits that long for as many as there were, or a flush would serve the first of them alone.

import { closedError, StoreError } from "../error.ts";
import type { Changes, StoreOperation, TransactionResult } from "../store.ts";
import { commit, type Environment } from "./environment.ts";
import { commitFailure, freeBytes, noSpace } from "./failure.ts";
import { Plan } from "./plan.ts";
import { Reserve } from "./reserve.ts";
import { Snapshot } from "./snapshot.ts";

/** Bounds of one group, so that a flush stays short. */
const GROUP_REQUESTS = 5_000;
const GROUP_BYTES = 16 * 1024 * 1024;
/** The approximate size of the writes of a step of a compaction. */
const STEP_BYTES = 1024 * 1024;
/** With this much free space, the disk is checked once in so many milliseconds. */
const ROOMY_BYTES = 1024 * 1024 * 1024;
const FREE_BYTES_AGE = 500;
/** Longest wait for writers that are expected, in milliseconds: less than a flush takes on most disks. */
const PATIENCE_MS = 1;

interface Request {
  readonly operations: readonly StoreOperation[];
  readonly resolve: (written: TransactionResult) => void;
  readonly reject: (error: StoreError) => void;
}

interface Outcome {
  readonly request: Request;
  /** Absent while it is planned. */
  result?: TransactionResult | StoreError;
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
  /** Called after a group that changed what expires when, or was made to let keys expire. */
  readonly expiryChanged: () => void;
}

export class Writer {
  readonly #options: WriterOptions;
  #requests: Request[] = [];
  readonly #tasks: Task[] = [];
  #due: { keys: readonly string[]; second: number; done: (written: boolean) => void } | undefined;
  #running: Promise<void> | undefined;
  #closed = false;
  /** Set when a flush failed for another reason than space: the content of the disk is then unknown until the store is opened again. */
  #failure: StoreError | undefined;
  /** Free bytes on the disk, and when they were read. */
  #free = 0;
  #askedAt = 0;
  readonly #reserve: Reserve;
  /** The expected number of simultaneous requests: those of the last group and those that came while it was flushed. */
  #expected = 1;
  /** Ends a wait for expected requests. */
  #complete: (() => void) | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#reserve = new Reserve(options.directory);
  }

  write(operations: readonly StoreOperation[]): Promise<TransactionResult> {
    return new Promise((resolve, reject) => {
      const refused = this.#refusal();
      if (refused !== undefined) {
        reject(refused);
        return;
      }
      this.#requests.push({ operations, resolve, reject });
      if (this.#requests.length >= this.#expected) this.#complete?.();
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

  /** Deletes the keys that are due by then; returns whether that was written. */
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
    this.#complete?.();
    await this.#running;
  }

  #refusal(): StoreError | undefined {
    return this.#closed ? closedError() : this.#failure;
  }

  #start(): void {
    this.#running ??= Promise.resolve().then(async () => {
      while (this.#requests.length > 0 || this.#tasks.length > 0 || this.#due !== undefined) {
        if (this.#requests.length > 0 || this.#due !== undefined) {
          if (this.#requests.length < this.#expected) await this.#others();
          await this.#group();
        }
        const task = this.#tasks.shift();
        if (task !== undefined) await this.#run(task);
      }
      this.#running = undefined;
    });
  }

  /** Resolves when the expected requests have arrived, or after a moment. */
  #others(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#complete?.(), PATIENCE_MS);
      this.#complete = () => {
        clearTimeout(timer);
        this.#complete = undefined;
        resolve();
      };
    });
  }

  async #run(task: Task): Promise<void> {
    try {
      await task.run();
      task.resolve();
    } catch (error) {
      if (error instanceof StoreError) return task.reject(error);
      const failure = await commitFailure(error, this.#options.directory, STEP_BYTES);
      if (failure.code !== "no_space") this.#fail(failure);
      task.reject(failure);
    }
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
      if (plan.planned.length > 0) {
        const puts = plan.puts();
        await this.#reserve.prepare(environment, plan.bytes, this.#spare());
        await commit(environment, puts);
      }
    } catch (error) {
      snapshot.done();
      const failure = await commitFailure(error, this.#options.directory, plan.bytes * 4);
      if (failure.code !== "no_space") this.#fail(failure);
      for (const { request } of outcomes) request.reject(failure);
      due?.done(false);
      return;
    }
    this.#expected = outcomes.length + this.#requests.length;
    this.#publish(plan);
    snapshot.done();
    for (const { request, result } of outcomes) {
      if (result instanceof StoreError) request.reject(result);
      else request.resolve(result!);
    }
    due?.done(true);
    if (due !== undefined || plan.changesExpiry) this.#options.expiryChanged();
  }

  /** Plans waiting requests until the group is full. */
  #take(plan: Plan, outcomes: Outcome[]): void {
    const { directory } = this.#options;
    const spare = this.#spare();
    const taken = this.#requests.splice(0, GROUP_REQUESTS);
    let next = 0;
    try {
      while (next < taken.length && plan.bytes < GROUP_BYTES) {
        const request = taken[next++]!;
        const adds = request.operations.some(({ op }) => op === "put");
        const outcome: Outcome = { request };
        // First, so that it is answered when planning fails.
        outcomes.push(outcome);
        outcome.result = adds && spare < plan.bytes ? noSpace(directory) : plan.add(request.operations);
      }
    } finally {
      if (next < taken.length) this.#requests = [...taken.slice(next), ...this.#requests];
    }
  }

  /** Bytes that may be added. Free space is read again after a while, and every time if the disk is nearly full. */
  #spare(): number {
    const { directory, minFreeBytes, now } = this.#options;
    const at = now();
    const age = at - this.#askedAt;
    if (this.#free < ROOMY_BYTES || age < 0 || age > FREE_BYTES_AGE) {
      this.#free = freeBytes(directory) - minFreeBytes;
      this.#askedAt = at;
    }
    return this.#free;
  }

  #publish(plan: Plan): void {
    const isWatched = this.#options.watched();
    for (const planned of plan.planned) {
      const changes = isWatched ? plan.withPrevious(planned) : planned.changes.map(({ change }) => change);
      this.#options.publish({ type: "changes", revision: planned.revision, changes });
    }
  }

  #fail(failure: StoreError): void {
    this.#failure = failure;
    for (const request of this.#requests.splice(0)) request.reject(failure);
    for (const task of this.#tasks.splice(0)) task.reject(failure);
    this.#due?.done(false);
    this.#due = undefined;
  }
}
