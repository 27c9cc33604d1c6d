// Writes of services: never here and elsewhere at once.

import { expect, test } from "vitest";
import { Allocations } from "./allocations.ts";

test("a large write waits for those here, and later ones follow it to its place", async () => {
  const allocations = new Allocations();
  const running = { here: 0, elsewhere: 0 };
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const way = (place: "here" | "elsewhere", name: string) => async (): Promise<void> => {
    running[place] += 1;
    order.push(`${name} ${place}`);
    expect(running.here === 0 || running.elsewhere === 0).toBe(true);
    await new Promise<void>((end) => ends.push(end));
    running[place] -= 1;
  };
  const run = (name: string, isLarge: boolean): void =>
    void allocations.run(isLarge, { here: way("here", name), elsewhere: way("elsewhere", name) });
  const settle = (): Promise<void> => new Promise((done) => setImmediate(done));
  run("a", false);
  run("b", true);
  run("c", false);
  await settle();
  expect(order).toEqual(["a here"]);
  ends.shift()!();
  await settle();
  expect(order).toEqual(["a here", "b elsewhere", "c elsewhere"]);
  for (const end of ends.splice(0)) end();
  await settle();
  run("d", false);
  await settle();
  expect(order.at(-1)).toBe("d here");
  for (const end of ends.splice(0)) end();
});
