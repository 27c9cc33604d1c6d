// A request at a priority level: it waits for seats, works on them, and leaves.

import type { UserInfo } from "@celadon/admission";
import type { RequestInfo } from "../wire/request-info.ts";

/** Why a request is rejected, in the words of the metrics. */
export type RejectReason = "concurrency-limit" | "queue-full" | "time-out";

/** The request, for metrics and debugging. */
export interface TurnRequest {
  readonly schema: string;
  /** The user or namespace that tells flows of the schema apart. */
  readonly distinguisher: string;
  readonly user: UserInfo;
  readonly info: RequestInfo;
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number;
}

/** The owner of a turn, which gives it seats. */
export interface TurnOwner {
  leave(turn: Turn): void;
  giveUp(turn: Turn): void;
}

export class Turn {
  readonly request: TurnRequest;
  readonly width: number;
  readonly #owner: TurnOwner;
  #state: "new" | "waiting" | "executing" | "gone" = "new";
  #resolve: ((mayWork: boolean) => void) | undefined;
  // Data of the level about it: its queue, when it came in virtual time, and when it got its seats, in seconds.
  queue: object | undefined;
  arrival = 0;
  startedAt = 0;

  /** `width`: the seats it takes. */
  constructor(owner: TurnOwner, request: TurnRequest, width: number) {
    this.#owner = owner;
    this.request = request;
    this.width = width;
  }

  get isExecuting(): boolean {
    return this.#state === "executing";
  }

  queued(): void {
    this.#state = "waiting";
  }

  /** It has its seats. */
  dispatched(): void {
    this.#state = "executing";
    this.#resolve?.(true);
  }

  /** Resolves when it has its seats, or to false when the time is over or the client has gone. */
  wait(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    if (this.#state !== "waiting") return Promise.resolve(this.isExecuting);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.leave();
        this.#resolve?.(false);
      };
      const timer = setTimeout(giveUp, milliseconds);
      this.#resolve = (mayWork) => {
        this.#resolve = undefined;
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        resolve(mayWork);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      if (signal.aborted) giveUp();
    });
  }

  /** It has ended, or waits no longer. */
  leave(): void {
    const state = this.#state;
    this.#state = "gone";
    if (state === "executing") this.#owner.leave(this);
    else if (state === "waiting") this.#owner.giveUp(this);
  }
}
