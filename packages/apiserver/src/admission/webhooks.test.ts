import { EVALUATION_TIME } from "@celadon/admission";
import { expect, test } from "vitest";
import { optionsOf } from "./webhooks.ts";

test("every stage has its own time for expressions", () => {
  const notes = { warn: () => undefined, annotate: () => undefined, annotatePatch: () => undefined };
  const before = Date.now();
  const options = optionsOf({ notes, user: {}, signal: undefined, remainingSeconds: () => 30 });
  const first = options.deadline as number;
  expect(first).toBeGreaterThanOrEqual(before + EVALUATION_TIME);
  expect(options.deadline as number).toBeGreaterThanOrEqual(first);
  expect(options.remainingSeconds?.()).toBe(30);
});
