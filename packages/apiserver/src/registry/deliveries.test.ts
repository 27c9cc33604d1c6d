// Events of one turn go out together; after a long delivery the next one waits, and later events go with it.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Sink } from "../wire/call.ts";
import { Deliveries } from "./deliveries.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setImmediate", "setTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Records when it was held and released; a release takes some milliseconds. */
class SlowSink implements Sink {
  readonly pending = 0;
  readonly calls: string[] = [];
  readonly #milliseconds: number;

  constructor(milliseconds = 0) {
    this.#milliseconds = milliseconds;
  }

  hold(): void {
    this.calls.push("hold");
  }

  release(): void {
    this.calls.push("release");
    vi.advanceTimersByTime(this.#milliseconds);
  }

  write(): void {}
  end(): void {}
  cut(): void {}
  onClose(): void {}
}

test("a sink is held once and released in the same turn", () => {
  const deliveries = new Deliveries();
  const sink = new SlowSink();
  deliveries.hold(sink);
  deliveries.hold(sink);
  expect(sink.calls).toEqual(["hold"]);
  vi.advanceTimersByTime(0);
  expect(sink.calls).toEqual(["hold", "release"]);
});

test("after a delivery of 2 ms the next one waits for 18 ms", () => {
  const deliveries = new Deliveries();
  const slow = new SlowSink(2);
  deliveries.hold(slow);
  vi.advanceTimersByTime(0);
  const next = new SlowSink();
  deliveries.hold(next);
  vi.advanceTimersByTime(17);
  expect(next.calls).toEqual(["hold"]);
  vi.advanceTimersByTime(1);
  expect(next.calls).toEqual(["hold", "release"]);
});

test("a stream that has ended is not released", () => {
  const deliveries = new Deliveries();
  const sink = new SlowSink();
  deliveries.hold(sink);
  deliveries.forget(sink);
  vi.advanceTimersByTime(1);
  expect(sink.calls).toEqual(["hold"]);
});
