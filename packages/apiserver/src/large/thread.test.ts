// A thread that ends, by itself or because it needs too much: only the requests it works on are lost, and the next one starts another.

import { openMemory } from "@celadon/storage/memory";
import { expect, onTestFinished, test } from "vitest";
import { StatusError } from "../wire/status-error.ts";
import type { LargeRequest } from "./messages.ts";
import { LargeThread } from "./thread.ts";

/** A thread that answers with its path, and to some paths not at all. */
const THREAD = `
import { parentPort } from "node:worker_threads";
parentPort.postMessage({ message: "ready" });
parentPort.on("message", ({ message, request }) => {
  if (message === "ping") parentPort.postMessage({ message: "pong" });
  if (message !== "request" || request.path === "/never") return;
  if (request.path === "/exit") process.exit(1);
  if (request.path === "/throw") throw new Error("a bug");
  if (request.path === "/memory") for (const kept = []; ; ) kept.push(new Array(100_000).fill(kept.length));
  parentPort.postMessage({ message: "answer", answer: { id: request.id, content: { body: request.path } } });
});`;

let ids = 0;
const requestTo = (path: string): LargeRequest => ({ id: ++ids, path }) as unknown as LargeRequest;
const NEVER = new AbortController().signal;

async function started(heapMb?: number) {
  const store = await openMemory();
  const ended = { now: false };
  const entry = new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`);
  const setup = { options: {}, tokens: {}, tokenKey: "", address: "" };
  const thread = new LargeThread(entry, setup, store, () => (ended.now = true), heapMb);
  onTestFinished(async () => {
    await thread.end();
    await store.close();
  });
  const codeOf = (path: string): Promise<number | string> =>
    thread.answer(requestTo(path), NEVER).then(
      ({ content }) => String(content.body),
      (error: unknown) => (error instanceof StatusError ? (error.status.code ?? 0) : String(error)),
    );
  return { thread, ended, codeOf };
}

test.each(["/exit", "/throw"])("a thread that ends: %s", async (path) => {
  const { ended, codeOf } = await started();
  expect(await codeOf("/a")).toBe("/a");
  expect(await Promise.all([codeOf("/never"), codeOf(path)])).toEqual([504, 504]);
  expect(ended.now).toBe(true);
});

test("a thread that needs too much memory", async () => {
  const { ended, codeOf } = await started(16);
  expect(await codeOf("/memory")).toBe(413);
  expect(ended.now).toBe(true);
}, 30_000);
