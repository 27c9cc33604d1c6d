// The requests of one priority level: the seated ones, and those that wait in queues. Fair queuing chooses the next queue: every queue with
// requests gets the same share of seat-seconds, so that a flow with many requests waits for itself. The duration of a request is estimated
// when it gets its seats and corrected when it ends. Upstream: apiserver pkg/util/flowcontrol/fairqueuing/queueset.

import type { Hand } from "./hand.ts";
import { SeatDemand } from "./seat-demand.ts";
import type { RejectReason, Turn, TurnOwner } from "./turn.ts";

/** The queues of a level. */
export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLength: number;
}

/** A level that does not limit, one that rejects what finds no seat, or one with queues. */
export type LevelKind = "exempt" | "reject" | Queuing;

/** Seconds that a request is thought to take until it has ended. */
const ESTIMATED_SECONDS = 0.003;

interface Queue {
  readonly waiting: Set<Turn>;
  /** Requests at work. */
  readonly working: Set<Turn>;
  seatsInUse: number;
  /** Seats that its waiting requests ask for. */
  seatsWaiting: number;
  /** The virtual time at which the next request begins. */
  nextStart: number;
}

export class QueueSet implements TurnOwner {
  readonly demand: SeatDemand;
  /** Told that the next request is too wide for the seats that are free. */
  readonly noRoom: (turn: Turn) => void;
  readonly #clock: () => number;
  #kind: LevelKind = "reject";
  #limit = 0;
  #queues: Queue[] = [];
  /** Requests at work beside the queues. */
  readonly #working = new Set<Turn>();
  /** Seat-seconds that every queue with requests has been allowed so far: virtual time. */
  #progress = 0;
  #progressAt: number;
  #activeQueues = 0;
  #lastQueue = 0;
  #entered = 0;
  #seatsInUse = 0;
  #seatsWaiting = 0;
  #waiting = 0;
  #executing = 0;
  dispatched = 0;
  rejected = 0;
  timedOut = 0;

  /** The clock is in seconds. */
  constructor(clock: () => number, noRoom: (turn: Turn) => void = () => {}) {
    this.#clock = clock;
    this.noRoom = noRoom;
    this.#progressAt = clock();
    this.demand = new SeatDemand(this.#progressAt);
  }

  get kind(): LevelKind {
    return this.#kind;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get executing(): number {
    return this.#executing;
  }

  get isIdle(): boolean {
    return this.#waiting + this.#executing === 0;
  }

  /** The state of each queue, with its requests. */
  get queues(): readonly Readonly<Queue>[] {
    return this.#queues;
  }

  /** Requests at work that never were in a queue. */
  get unqueued(): ReadonlySet<Turn> {
    return this.#working;
  }

  configure(kind: LevelKind, limit: number): void {
    this.#pass();
    this.#kind = kind;
    this.#limit = limit;
    if (typeof kind === "object") {
      while (this.#queues.length < kind.queues) this.#queues.push(emptyQueue());
      // Surplus queues serve their requests and are then removed.
      while (this.#queues.length > kind.queues && isEmpty(this.#queues.at(-1)!)) this.#queues.pop();
    }
    this.#dispatch();
  }

  /** Gives the request its seats, lets it wait in a queue of its hand, or says why neither is possible. */
  enter(turn: Turn, hand: Hand): RejectReason | undefined {
    this.#pass();
    const kind = this.#kind;
    if (typeof kind === "string") {
      if (kind === "reject" && !this.#fits(turn.width)) {
        this.rejected++;
        return "concurrency-limit";
      }
      this.#work(turn, undefined);
      return undefined;
    }
    const queue = this.#shortest(hand);
    if (this.#seatsInUse >= this.#limit && queue.waiting.size >= kind.queueLength) {
      this.rejected++;
      return "queue-full";
    }
    turn.arrival = this.#progress;
    if (isEmpty(queue)) {
      this.#activeQueues++;
      queue.nextStart = this.#progress;
    }
    if (this.#waiting === 0 && this.#seatsInUse < this.#limit && this.#fits(turn.width)) {
      if (queue.nextStart < turn.arrival) queue.nextStart = turn.arrival;
      this.#work(turn, queue);
      return undefined;
    }
    turn.queued();
    turn.queue = queue;
    queue.waiting.add(turn);
    queue.seatsWaiting += turn.width;
    this.#waiting++;
    this.#seatsWaiting += turn.width;
    this.#demands();
    this.#dispatch();
    return undefined;
  }

  /** The requests that the queue of a request had when it came, itself included. */
  queueLength(turn: Turn): number {
    return ((turn.queue as Queue | undefined)?.waiting.size ?? 0) + (turn.isExecuting ? 1 : 0);
  }

  /** Seat-seconds that requests on so many seats are thought to take. */
  workOf(seats: number): number {
    return seats * ESTIMATED_SECONDS;
  }

  /** When a request got its seats, in milliseconds since the epoch. */
  startTime(turn: Turn): number {
    return Date.now() - (this.#clock() - turn.startedAt) * 1000;
  }

  /** Every request with its schema and seats. */
  tally(count: (schema: string, seats: number, isExecuting: boolean) => void): void {
    const each = (turns: ReadonlySet<Turn>): void => {
      for (const { request, width, isExecuting } of turns) count(request.schema, width, isExecuting);
    };
    each(this.#working);
    for (const { waiting, working } of this.#queues) {
      each(waiting);
      each(working);
    }
  }

  /** The request ends, or does without its seats for a while. */
  leave(turn: Turn): void {
    this.#pass();
    const queue = turn.queue as Queue | undefined;
    (queue?.working ?? this.#working).delete(turn);
    this.#executing--;
    this.#seatsInUse -= turn.width;
    if (queue !== undefined) {
      queue.seatsInUse -= turn.width;
      queue.nextStart -= turn.width * (ESTIMATED_SECONDS - (this.#progressAt - turn.startedAt));
      this.#settle(queue);
    }
    this.#demands();
    this.#dispatch();
  }

  /** The request waits no longer. */
  giveUp(turn: Turn): void {
    this.#pass();
    const queue = turn.queue as Queue;
    this.#unqueue(turn, queue);
    this.rejected++;
    this.timedOut++;
    this.#settle(queue);
    this.#demands();
    // It may have been first and too wide for the seats that are free.
    this.#dispatch();
  }

  #shortest(hand: Hand): Queue {
    // From a different one each time, so that hands that overlap do not always meet at the same queue.
    const offset = this.#entered++ % hand.length;
    let best = this.#queues[hand[offset]!]!;
    for (let at = 1; at < hand.length && best.seatsWaiting > 0; at++) {
      const queue = this.#queues[hand[(offset + at) % hand.length]!]!;
      if (queue.seatsWaiting < best.seatsWaiting) best = queue;
    }
    return best;
  }

  #fits(width: number): boolean {
    if (this.#kind === "exempt") return true;
    // A request wider than the level has it to itself.
    if (width > this.#limit) return this.#executing === 0;
    return this.#seatsInUse + width <= this.#limit;
  }

  #dispatch(): void {
    while (this.#waiting > 0 && this.#seatsInUse < this.#limit && this.#dispatchNext());
  }

  /** The head of the queue that would finish first in virtual time; false if it must wait for seats. */
  #dispatchNext(): boolean {
    const count = this.#queues.length;
    let next: { readonly turn: Turn; readonly queue: Queue; readonly at: number } | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (let step = 1; step <= count; step++) {
      const at = (this.#lastQueue + step) % count;
      const queue = this.#queues[at]!;
      if (queue.waiting.size === 0) continue;
      const turn = firstOf(queue);
      const finish = queue.nextStart + this.workOf(turn.width);
      if (finish >= earliest) continue;
      earliest = finish;
      next = { turn, queue, at };
    }
    if (next === undefined) return false;
    if (!this.#fits(next.turn.width)) {
      this.noRoom(next.turn);
      return false;
    }
    this.#lastQueue = next.at;
    this.#unqueue(next.turn, next.queue);
    this.#work(next.turn, next.queue);
    return true;
  }

  #unqueue(turn: Turn, queue: Queue): void {
    queue.waiting.delete(turn);
    queue.seatsWaiting -= turn.width;
    this.#waiting--;
    this.#seatsWaiting -= turn.width;
  }

  #work(turn: Turn, queue: Queue | undefined): void {
    turn.queue = queue;
    turn.startedAt = this.#progressAt;
    (queue?.working ?? this.#working).add(turn);
    this.#executing++;
    this.#seatsInUse += turn.width;
    this.dispatched++;
    turn.dispatched();
    if (queue !== undefined) {
      queue.seatsInUse += turn.width;
      queue.nextStart += this.workOf(turn.width);
      boundStart(queue);
    }
    this.#demands();
  }

  /** After a request has gone from its queue. */
  #settle(queue: Queue): void {
    if (isEmpty(queue)) this.#activeQueues--;
    else boundStart(queue);
  }

  #demands(): void {
    this.demand.set(this.#seatsInUse + this.#seatsWaiting, this.#progressAt);
  }

  /** Virtual time passes as fast as the seats of the level allow each of its active queues. */
  #pass(): void {
    const now = this.#clock();
    if (this.#activeQueues > 0) {
      const seats = Math.min(this.#seatsInUse + this.#seatsWaiting, this.#limit);
      this.#progress += (seats / this.#activeQueues) * (now - this.#progressAt);
    }
    this.#progressAt = now;
  }
}

const emptyQueue = (): Queue => ({
  waiting: new Set(),
  working: new Set(),
  seatsInUse: 0,
  seatsWaiting: 0,
  nextStart: 0,
});

const isEmpty = ({ waiting, working }: Queue): boolean => waiting.size + working.size === 0;

function firstOf({ waiting }: Queue): Turn {
  for (const turn of waiting) return turn;
  throw new Error("an empty queue has no first request");
}

/** No request begins in virtual time before it has come: a queue saves up no seats while it does not use them. */
function boundStart(queue: Queue): void {
  if (queue.waiting.size === 0) return;
  const { arrival } = firstOf(queue);
  if (queue.nextStart < arrival) queue.nextStart = arrival;
}
