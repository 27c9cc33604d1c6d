import { expect, test } from "vitest";
import { WorkQueue } from "./work-queue.ts";

test("a key is worked on once however often it is named, and again when it was named meanwhile", async () => {
  const worked: string[] = [];
  const queue = new WorkQueue(async (key) => {
    worked.push(key);
    if (worked.length === 1) for (let i = 0; i < 3; i++) queue.add("a");
    return undefined;
  });
  for (const key of ["a", "b", "a", "b"]) queue.add(key);
  await queue.idle();
  expect(worked.sort()).toEqual(["a", "a", "b"]);
});

test("what fails is tried again, and no key runs twice at once", async () => {
  const running = new Set<string>();
  const tries = new Map<string, number>();
  const failures: string[] = [];
  const queue = new WorkQueue(
    async (key) => {
      expect(running.has(key)).toBe(false);
      running.add(key);
      await new Promise(setImmediate);
      running.delete(key);
      tries.set(key, (tries.get(key) ?? 0) + 1);
      if (tries.get(key)! < 3) throw new Error("not yet");
      return undefined;
    },
    { workers: 4, firstRetryMs: 1, mostRetryMs: 2, failed: (key) => failures.push(key) },
  );
  for (const key of ["a", "b", "c", "a"]) queue.add(key);
  await expect.poll(() => [...tries.values()].every((count) => count >= 3) && tries.size === 3).toBe(true);
  expect(failures.length).toBeGreaterThanOrEqual(6);
  await queue.stop();
});

test("nothing starts after stop", async () => {
  const worked: string[] = [];
  const queue = new WorkQueue(async (key) => {
    worked.push(key);
    return { againMs: 1 };
  });
  queue.add("a");
  queue.add("b");
  await queue.stop();
  queue.add("c");
  expect(worked).toEqual(["a"]);
});
