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

test("namespaces take turns", async () => {
  const worked: string[] = [];
  const queue = new WorkQueue(async (key) => {
    worked.push(key);
    return undefined;
  });
  for (let i = 0; i < 1_000; i++) queue.add(`flood/${i}`);
  for (const key of ["other/a", "cluster-scoped", "other/b", "flood/999"]) queue.add(key);
  expect(queue.size).toBe(1_003);
  await queue.idle();
  expect(worked).toHaveLength(1_003);
  for (const [key, before] of [
    ["other/a", 4],
    ["cluster-scoped", 4],
    ["other/b", 6],
  ] as const) {
    expect(worked.indexOf(key)).toBeLessThanOrEqual(before);
  }
});
