// The feed ends waits that cannot end any more, and each failure reaches the one who waits.

import { openMemory } from "@celadon/storage/memory";
import { expect, test } from "vitest";
import { Feed } from "./feed.ts";

test("a feed that is closed while the store is asked for its progress fails the wait, and nothing else", async () => {
  const store = openMemory();
  let answer = (): void => {};
  store.requestProgress = () => new Promise<void>((done) => (answer = done));
  const feed = new Feed(store);
  const unhandled: unknown[] = [];
  const note = (reason: unknown): unknown => unhandled.push(reason);
  process.on("unhandledRejection", note);
  try {
    await feed.start();
    const failed = expect(feed.catchUp(feed.revision + 1)).rejects.toThrow("the server is shutting down");
    feed.close();
    // Node reports a rejection without a handler after the microtasks of the turn in which it happened.
    await new Promise((done) => setImmediate(done));
    answer();
    await failed;
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
    await store.close();
  }
});
