// When a worker is waited for, given up, replaced or started again; with a worker and a clock of the test's own.

import type { Work } from "@celadon/language/playground";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Order, WorkerMessage } from "../model/protocol.ts";
import { Slate } from "../model/slate.ts";
import { EngineLink } from "./engine-link.ts";

class FakeWorker {
  readonly orders: Order[] = [];
  isEnded = false;
  onmessage: ((event: { data: WorkerMessage }) => void) | null = null;
  onerror: ((event: { preventDefault: () => void }) => void) | null = null;

  postMessage(order: Order): void {
    this.orders.push(order);
  }

  terminate(): void {
    this.isEnded = true;
  }

  report(report: WorkerMessage): void {
    this.onmessage?.({ data: report });
  }

  /** Its script did not come. */
  fail(): void {
    this.onerror?.({ preventDefault: () => {} });
  }
}

const WORK: Work = { mode: "cel", policy: "1", object: "", oldObject: "", tests: "", request: {} };

function setUp(size = 100, slate?: Slate) {
  const workers: FakeWorker[] = [];
  const events: string[] = [];
  const frame: (() => void)[] = [];
  const draw = (): void => {
    for (const act of frame.splice(0)) act();
  };
  const spawn = (): Worker => {
    workers.push(new FakeWorker());
    return workers.at(-1) as unknown as Worker;
  };
  const link = new EngineLink(
    { work: () => WORK, size: () => size, spawn, share: () => slate, beforeFrame: (act) => frame.push(act) },
    {
      report: (report) => events.push(report.is),
      late: () => events.push("late"),
      stopped: () => events.push("stopped"),
      unloadable: () => events.push("unloadable"),
    },
  );
  return { link, workers, events, draw, change: () => link.sendChange("policy", [{ from: 0, to: 0, insert: "1" }]) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("loading has no time limit", () => {
  const { link, workers, events } = setUp();
  link.sendWork();
  vi.advanceTimersByTime(600_000);
  expect([events, workers.length]).toEqual([[], 1]);
});

test("a slow answer is announced, and shown when it arrives", () => {
  const { link, workers, events } = setUp();
  link.sendWork();
  workers[0]!.report({ is: "ready" });
  vi.advanceTimersByTime(9_000);
  expect(events).toEqual(["late"]);
  vi.advanceTimersByTime(30_000);
  workers[0]!.report({ is: "answer", version: 1, answer: {} as never });
  workers[0]!.report({ is: "done", version: 1 });
  vi.advanceTimersByTime(600_000);
  expect([events, workers.length, workers[0]!.isEnded]).toEqual([["late", "answer", "done"], 1, false]);
});

test("large texts have more time", () => {
  const { link, workers, events } = setUp(1_000_000);
  link.sendWork();
  workers[0]!.report({ is: "ready" });
  vi.advanceTimersByTime(20_000);
  expect(events).toEqual([]);
  vi.advanceTimersByTime(5_000);
  expect(events).toEqual(["late"]);
});

test("an answer that never arrives is abandoned; the next change gets a new worker", () => {
  const { link, workers, events, change } = setUp();
  link.sendWork();
  workers[0]!.report({ is: "ready" });
  vi.advanceTimersByTime(600_000);
  expect([events, workers[0]!.isEnded]).toEqual([["late", "stopped"], true]);
  change();
  expect(workers[1]!.orders.map(({ is }) => is)).toEqual(["work"]);
});

test("who stops it need not wait", () => {
  const { link, workers, events } = setUp();
  link.sendWork();
  workers[0]!.report({ is: "ready" });
  vi.advanceTimersByTime(9_000);
  link.stop();
  expect([events, workers[0]!.isEnded]).toEqual([["late", "stopped"], true]);
});

test("a change does not wait for a worker that is late with something older", () => {
  const { link, workers, events, change } = setUp();
  link.sendWork();
  workers[0]!.report({ is: "ready" });
  vi.advanceTimersByTime(4_000);
  change();
  expect(workers[0]!.orders.map(({ is }) => is)).toEqual(["work", "change"]);
  vi.advanceTimersByTime(5_000);
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false]);
  workers[0]!.report({ is: "answer", version: 1, answer: {} as never });
  expect(events).toEqual([]);
  workers[1]!.report({ is: "ready" });
  vi.advanceTimersByTime(9_000);
  change();
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true, false]);
});

test("reports about older versions show that it works", () => {
  const { link, workers, events, change } = setUp();
  link.sendWork();
  workers[0]!.report({ is: "ready" });
  change();
  for (let i = 0; i < 5; i++) {
    vi.advanceTimersByTime(6_000);
    workers[0]!.report({ is: "costs", version: 1, costs: [] });
  }
  expect([events, workers.length]).toEqual([[], 1]);
});

// biome-ignore format: one way per line
test.each([
  { what: "the script",     fail: (worker: FakeWorker) => worker.fail() },
  { what: "a part of it",   fail: (worker: FakeWorker) => worker.report({ is: "unloaded" }) },
])("$what that did not load is loaded again, a few times", ({ fail }) => {
  const { link, workers, events } = setUp();
  link.sendWork();
  for (let i = 0; i < 4; i++) {
    expect([workers.length, events]).toEqual([i + 1, []]);
    fail(workers.at(-1)!);
    vi.advanceTimersByTime(5_000);
  }
  expect([workers.length, events]).toEqual([4, ["unloadable"]]);
});

test("questions of a worker that ended are answered with nothing", async () => {
  const { link } = setUp();
  link.sendWork();
  const asked = link.ask({ what: "format", text: "policy" });
  link.stop();
  expect(await asked).toBeUndefined();
});

test("an answer in shared memory is used before the frame, and not again when its message arrives", () => {
  const slate = new Slate();
  const { link, workers, events, draw, change } = setUp(100, slate);
  link.sendWork();
  expect(workers[0]!.orders.map(({ is }) => is)).toEqual(["slate", "work"]);
  workers[0]!.report({ is: "ready" });
  draw();
  expect(events).toEqual([]);
  const answer = { took: 1 } as never;
  workers[0]!.report({ is: "answer", version: 1, answer });
  change();
  slate.write(2, answer);
  draw();
  expect(events).toEqual(["answer", "answer"]);
  workers[0]!.report({ is: "answer", version: 2, answer });
  workers[0]!.report({ is: "done", version: 2 });
  expect(events).toEqual(["answer", "answer", "done"]);
  vi.advanceTimersByTime(600_000);
  expect(workers.length).toBe(1);
});

test("an answer that is there when the letter is drawn does not wait for the frame", () => {
  const slate = new Slate();
  const { link, workers, events, draw, change } = setUp(100, slate);
  link.sendWork();
  workers[0]!.report({ is: "ready" });
  change();
  link.look();
  expect(events).toEqual([]);
  slate.write(2, { took: 1 } as never);
  link.look();
  draw();
  expect(events).toEqual(["answer"]);
});
