import { expect, test } from "vitest";
import { requestInfo } from "../wire/request-info.ts";
import { type LevelKind, QueueSet } from "./queue-set.ts";
import { Turn } from "./turn.ts";

const INFO = requestInfo("GET", "/api/v1/pods", new URLSearchParams());
const NEVER = new AbortController().signal;

/** A level with a clock that the test sets. */
class Level {
  now = 0;
  readonly set: QueueSet = new QueueSet(() => this.now);

  constructor(kind: LevelKind, limit: number) {
    this.set.configure(kind, limit);
  }

  /** A request of a user with this hand; a text if it was rejected. */
  enter(user: string, hand: readonly number[], width = 1): Turn {
    const turn = this.tryEnter(user, hand, width);
    if (typeof turn === "string") throw new Error(turn);
    return turn;
  }

  tryEnter(user: string, hand: readonly number[], width = 1): Turn | string {
    const request = { schema: "s", distinguisher: user, user: { username: user }, info: INFO, arrivedAt: 0 };
    const turn = new Turn(this.set, request, width);
    return this.set.enter(turn, hand) ?? turn;
  }
}

const QUEUED = { queues: 8, handSize: 1, queueLength: 50 };

test("an exempt level takes everything", () => {
  const level = new Level("exempt", 0);
  const turns = Array.from({ length: 1_000 }, () => level.enter("admin", [0]));
  expect(turns.every(({ isExecuting }) => isExecuting)).toBe(true);
  expect(level.set.executing).toBe(1_000);
  for (const turn of turns) turn.leave();
  expect(level.set.isIdle).toBe(true);
});

test("a level without queues rejects what finds no seat", () => {
  const level = new Level("reject", 2);
  const first = level.enter("a", [0]);
  level.enter("b", [0]);
  expect(level.tryEnter("c", [0])).toBe("concurrency-limit");
  first.leave();
  expect(level.enter("c", [0]).isExecuting).toBe(true);
});

test("a queue that is full rejects, and only it", () => {
  const level = new Level({ ...QUEUED, queueLength: 3 }, 1);
  for (let i = 0; i < 4; i++) level.enter("greedy", [0]);
  expect(level.tryEnter("greedy", [0])).toBe("queue-full");
  expect(level.enter("other", [1]).isExecuting).toBe(false);
});

test("users take turns, however many requests one of them has", async () => {
  const level = new Level(QUEUED, 4);
  const working = new Set<Turn>();
  const all = Array.from({ length: 40 }, () => level.enter("greedy", [0]));
  const modest = Array.from({ length: 5 }, () => level.enter("modest", [1]));
  for (const turn of all) if (turn.isExecuting) working.add(turn);
  const order: string[] = [];
  while (working.size > 0) {
    level.now += 0.01;
    const [turn] = working;
    working.delete(turn!);
    turn!.leave();
    for (const next of [...all, ...modest]) {
      if (next.isExecuting && !working.has(next)) {
        working.add(next);
        order.push(next.request.distinguisher);
      }
    }
  }
  // Every second one, until the modest user has none left.
  const last = order.lastIndexOf("modest");
  expect(last).toBeLessThan(14);
  expect(order).toHaveLength(41);
  expect(await modest[0]!.wait(0, NEVER)).toBe(false);
});

test("who worked long waits longer", () => {
  const level = new Level(QUEUED, 1);
  const slow = level.enter("slow", [0]);
  const slowNext = level.enter("slow", [0]);
  const quick = level.enter("quick", [1]);
  level.now += 5;
  slow.leave();
  expect([slowNext.isExecuting, quick.isExecuting]).toEqual([false, true]);
});

test("a wide request takes as many seats, and one wider than the level has it to itself", () => {
  const level = new Level(QUEUED, 4);
  const wide = level.enter("wide", [0], 3);
  const narrow = level.enter("narrow", [1]);
  const wider = level.enter("wider", [2], 9);
  expect([wide.isExecuting, narrow.isExecuting, wider.isExecuting]).toEqual([true, true, false]);
  wide.leave();
  expect(wider.isExecuting).toBe(false);
  narrow.leave();
  expect(wider.isExecuting).toBe(true);
});

test("a request waits no longer than it may, and not for a client that has gone", async () => {
  const level = new Level(QUEUED, 1);
  level.enter("a", [0]);
  const late = level.enter("b", [1]);
  expect(await late.wait(5, NEVER)).toBe(false);
  const gone = new AbortController();
  const waiting = level.enter("c", [1]).wait(60_000, gone.signal);
  gone.abort();
  expect(await waiting).toBe(false);
  expect([level.set.waiting, level.set.timedOut, level.set.rejected]).toEqual([0, 2, 2]);
});

test("a level that grows takes those who wait; queues that are too many come to their end", () => {
  const level = new Level(QUEUED, 1);
  const turns = Array.from({ length: 6 }, (_, i) => level.enter(`u${i}`, [i]));
  level.set.configure({ queues: 2, handSize: 1, queueLength: 50 }, 3);
  expect(turns.filter(({ isExecuting }) => isExecuting)).toHaveLength(3);
  for (let round = 0; round < 6; round++) for (const turn of turns) if (turn.isExecuting) turn.leave();
  expect(level.set.isIdle).toBe(true);
  level.set.configure({ queues: 2, handSize: 1, queueLength: 50 }, 3);
  expect(level.set.queues).toHaveLength(2);
});
