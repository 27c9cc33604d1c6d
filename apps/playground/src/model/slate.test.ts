// An answer written in one thread is read in another: whole, of the requested version, or not at all.

import { expect, test } from "vitest";
import type { WorkAnswer } from "./answer.ts";
import { Slate } from "./slate.ts";

const answer = (message: string): WorkAnswer => ({
  mode: "validating",
  verdict: { tone: "bad", title: "Denied", message, spots: [] },
  warnings: [],
  notes: [],
  annotations: [],
  webhooks: [],
  objects: [],
  selected: 0,
  asked: "",
  took: 1.5,
});

test("the version that was written last", () => {
  const page = new Slate();
  const worker = new Slate(page.buffer);
  expect(page.read(1)).toBeUndefined();
  worker.write(1, answer("zoë 𝄞"));
  expect(page.read(1)).toEqual(answer("zoë 𝄞"));
  worker.write(2, answer("short"));
  expect([page.read(1), page.read(2), page.read(3)]).toEqual([undefined, answer("short"), undefined]);
});

test("what does not fit is left to the message", () => {
  const slate = new Slate();
  slate.write(1, answer("kept"));
  slate.write(2, answer("x".repeat(100_000)));
  expect([slate.read(1), slate.read(2)]).toEqual([answer("kept"), undefined]);
});
