// The seats of one request from its arrival to its end. A request that waits for its body or for a version yet to come gives them up, so
// that it keeps out nobody.

import type { UserInfo } from "@celadon/admission";
import type { FlowSchema } from "@celadon/kube/api/flowcontrol-v1";
import { tooManyRequests } from "@celadon/kube/status";
import type { SchemaMetrics } from "../metrics/flow-metrics.ts";
import type { Seat } from "../wire/call.ts";
import type { RequestInfo } from "../wire/request-info.ts";
import { StatusError } from "../wire/status-error.ts";
import type { Hand } from "./hand.ts";
import type { Level } from "./level.ts";
import type { RejectReason, Turn } from "./turn.ts";

/** A flow schema as requests meet it. */
export interface Flow {
  readonly schema: FlowSchema;
  readonly name: string;
  readonly level: Level;
  /** Headers of answers that name the schema and the level. */
  readonly headers: Readonly<Record<string, string>>;
  readonly metrics: SchemaMetrics;
  /** Hands of its flows, by user or namespace. */
  readonly hands: Map<string, Hand>;
}

/** A request as its flow schema is chosen by it. */
export interface ArrivedRequest {
  readonly user: UserInfo;
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
  /** Milliseconds the client gives it. */
  readonly timeout: number | undefined;
  /** Aborted when the client has gone. */
  readonly signal: () => AbortSignal;
}

/** The giver of seats. */
export interface SeatControl {
  /** Monotonic, in seconds. */
  readonly clock: () => number;
  /** A turn that waits or works, or the reason for a refusal. */
  enter(flow: Flow, request: ArrivedRequest): Turn | RejectReason;
  /** Counts a request that waits without seats; false if there are too many of them. */
  rest(): boolean;
  restOver(): void;
}

export class RequestSeat implements Seat {
  readonly #control: SeatControl;
  readonly #flow: Flow;
  readonly #request: ArrivedRequest;
  /** Milliseconds that it may wait in a queue. */
  readonly #patience: number;
  #turn: Turn | undefined;
  #since = 0;
  #isResting = false;

  constructor(control: SeatControl, flow: Flow, request: ArrivedRequest, patience: number) {
    this.#control = control;
    this.#flow = flow;
    this.#request = request;
    this.#patience = patience;
  }

  get holder(): string {
    return this.#request.user.username ?? "";
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#flow.headers;
  }

  /** Seconds after which a client that is rejected may come again. */
  get retryAfter(): number {
    return this.#flow.level.retryAfter.seconds;
  }

  /** Whether the request may go on: at once, or when it has had its turn. */
  take(): boolean | Promise<boolean> {
    const turn = this.#control.enter(this.#flow, this.#request);
    this.#since = this.#control.clock();
    if (typeof turn === "string") {
      this.#rejected(turn, 0);
      return false;
    }
    this.#turn = turn;
    if (!turn.isExecuting) return this.#wait(turn);
    this.#works(0);
    return true;
  }

  async without<T>(wait: Promise<T>): Promise<T> {
    if (this.#turn === undefined || !this.#control.rest()) return wait;
    this.#isResting = true;
    this.#end();
    const result = await wait;
    this.#restOver();
    if (await this.take()) return result;
    throw new StatusError(tooManyRequests("Too many requests, please try again later.", this.retryAfter));
  }

  /** The request has ended. */
  leave(): void {
    this.#restOver();
    this.#end();
  }

  async #wait(turn: Turn): Promise<boolean> {
    const arrived = this.#since;
    const mayWork = await turn.wait(this.#patience, this.#request.signal());
    this.#since = this.#control.clock();
    const waited = this.#since - arrived;
    if (mayWork) this.#works(waited);
    else {
      this.#turn = undefined;
      this.#rejected("time-out", waited);
    }
    return mayWork;
  }

  #works(waited: number): void {
    const { level, metrics } = this.#flow;
    if (!level.isExempt) metrics.waited(waited, true);
    metrics.dispatched();
  }

  #rejected(reason: RejectReason, waited: number): void {
    const { level, metrics } = this.#flow;
    metrics.waited(waited, false);
    metrics.rejected(reason);
    level.retryAfter.rejected(this.#since);
  }

  #restOver(): void {
    if (this.#isResting) this.#control.restOver();
    this.#isResting = false;
  }

  #end(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#turn = undefined;
    this.#flow.metrics.worked(this.#control.clock() - this.#since, this.#request.info.verb === "watch");
    turn.leave();
  }
}
