import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

/** Work that ends on demand. */
function pieces() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const piece = (name: string) => () => {
    started.push(name);
    return new Promise<void>((end) => ends.push(end));
  };
  const endFirst = async (): Promise<void> => {
    ends.shift()!();
    await new Promise((done) => setImmediate(done));
  };
  return { started, piece, endFirst };
}

test("users who wait take turns, however much one of them sent", async () => {
  const { started, piece, endFirst } = pieces();
  const turns = new Turns(1);
  for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) void turns.take(name[0]!, piece(name));
  for (let i = 0; i < 5; i++) await endFirst();
  expect(started).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
});

test("so many at once, and a place is free again after work that fails", async () => {
  const { started, piece, endFirst } = pieces();
  const turns = new Turns(2);
  await expect(turns.take("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  for (const name of ["a1", "a2", "a3"]) void turns.take("a", piece(name));
  expect(started).toEqual(["a1", "a2"]);
  await endFirst();
  expect(started).toEqual(["a1", "a2", "a3"]);
});
