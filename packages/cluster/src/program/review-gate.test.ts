import fc from "fast-check";
import { expect, test } from "vitest";
import { type Admitted, partsOf, ReviewGate } from "./review-gate.ts";

const NEVER = new AbortController().signal;
const large = Buffer.from(`[${"{},".repeat(30_000)}{}]`);
const small = Buffer.from("{}");

/** Values and keys that JSON has. */
function counted(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + counted(item), 1);
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, item) => sum + 1 + counted(item), 1);
}

test("parts are counted without reading: never less than half of the parts", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const parts = partsOf(Buffer.from(text), 1e9);
      expect(counted(JSON.parse(text))).toBeLessThanOrEqual(2 * parts);
      expect(parts).toBeLessThanOrEqual(3 * text.length);
    }),
  );
  expect(partsOf(Buffer.from('["a,[{:\\",\\\\",1]'), 100)).toBe(3);
  expect(partsOf(large, 1_000)).toBe(1_001);
});

test("a body with too many values is not read at all", () => {
  const gate = new ReviewGate();
  expect(gate.enter(Buffer.from(`[${"[],".repeat(600_000)}0]`), "a", NEVER)).toBe("too large");
});

test("large bodies are worked on two at a time, and addresses take turns; small ones go on", async () => {
  const gate = new ReviewGate();
  const first = [gate.enter(large, "a", NEVER), gate.enter(large, "a", NEVER)] as Admitted[];
  const order: string[] = [];
  const waiting = ["a", "a", "a", "b"].map(async (address) => {
    const admitted = await gate.enter(large, address, NEVER);
    order.push(address);
    if (typeof admitted === "object") setTimeout(() => admitted.done(), 1);
  });
  expect(gate.enter(small, "c", NEVER)).not.toBeInstanceOf(Promise);
  for (const admitted of first) if (typeof admitted === "object") admitted.done();
  await Promise.all(waiting);
  expect(order.indexOf("b")).toBeLessThan(2);
});

test("one address has a bounded number of bodies that wait, and who goes away waits no longer", async () => {
  const gate = new ReviewGate();
  const gone = new AbortController();
  const all = Array.from({ length: 20 }, () => gate.enter(large, "a", gone.signal));
  expect(all.filter((admitted) => admitted === "too many")).toHaveLength(2);
  gone.abort();
  expect((await Promise.all(all)).filter((admitted) => admitted === "too many")).toHaveLength(18);
});

test("small bodies wait when others took the turn, and addresses take turns then", async () => {
  const gate = new ReviewGate();
  const order: string[] = [];
  const work = async (address: string): Promise<void> => {
    const admitted = await gate.enter(small, address, NEVER);
    const until = performance.now() + 10;
    while (performance.now() < until);
    order.push(address);
    if (typeof admitted === "object") admitted.done();
  };
  await work("a");
  let received = 0;
  setImmediate(() => (received = order.length));
  await Promise.all([..."aaaaaaaa", "b"].map(work));
  expect(order.slice(1).indexOf("b")).toBeLessThan(3);
  // Messages of other clients were received in between.
  expect(received).toBeLessThan(3);
});

test("who goes away while small bodies wait is not worked for", async () => {
  const gate = new ReviewGate();
  const gone = new AbortController();
  const first = gate.enter(small, "a", NEVER);
  const until = performance.now() + 10;
  while (performance.now() < until);
  const waiting = gate.enter(small, "a", gone.signal);
  expect(waiting).toBeInstanceOf(Promise);
  gone.abort();
  expect(await waiting).toBe("too many");
  if (typeof first === "object" && "done" in first) first.done();
  await new Promise(setImmediate);
  expect(gate.enter(small, "a", NEVER)).not.toBeInstanceOf(Promise);
});
