// The kept part of the feed: parts of it by prefix, and nothing that may be incomplete.

import { expect, test } from "vitest";
import type { Changes } from "../store.ts";
import { Recent } from "./recent.ts";

function batch(revision: number, key: string, bytes = 10): Changes {
  const entry = { key, value: new Uint8Array(bytes), createRevision: revision, modRevision: revision, version: 1 };
  return { type: "changes", revision, changes: [{ type: "put", key, entry }] };
}

test("reads behind a revision, by prefix, in parts", () => {
  const recent = new Recent();
  recent.reset(5);
  for (let i = 0; i < 1_500; i++) recent.add(batch(6 + 2 * i, i % 2 === 0 ? "/a" : "/b"));
  expect(recent.read("/", 4, 9_999)).toBeUndefined();
  const first = recent.read("/a", 5, 9_999)!;
  expect(first.batches).toHaveLength(500);
  expect(first.through).toBe(6 + 2 * 999);
  const second = recent.read("/a", first.through, 9_999)!;
  expect(second.batches).toHaveLength(250);
  expect(second.through).toBe(9_999);
  expect(recent.read("/", 9_999, 9_999)).toEqual({ batches: [], through: 9_999 });
});

test("drops the oldest when there is too much, and says so", () => {
  const recent = new Recent();
  recent.reset(1);
  for (let i = 0; i < 100; i++) recent.add(batch(2 + i, "/a", 1024 * 1024));
  expect(recent.read("/", 1, 101)).toBeUndefined();
  const kept = Array.from({ length: 100 }, (_, i) => 101 - i).filter(
    (after) => recent.read("/", after, 101) !== undefined,
  );
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.length).toBeLessThanOrEqual(64);
  recent.reset(200);
  expect(recent.read("/", 150, 200)).toBeUndefined();
  expect(recent.read("/", 200, 200)).toEqual({ batches: [], through: 200 });
});
