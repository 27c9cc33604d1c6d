import { expect, test } from "vitest";
import { unzip } from "./unzip.testing.ts";
import { crc32, zip } from "./zip.ts";

test("what goes in comes out, in order, the same each time", () => {
  const files = new Map([
    ["b/é.txt", Buffer.from("zwei".repeat(1000))],
    ["a.txt", Buffer.from("eins")],
    ["empty", Buffer.alloc(0)],
  ]);
  const made = zip(files);
  expect([...unzip(made)]).toEqual([
    ["a.txt", "eins"],
    ["b/é.txt", "zwei".repeat(1000)],
    ["empty", ""],
  ]);
  expect(zip(new Map([...files].reverse()))).toEqual(made);
  expect(made.length).toBeLessThan(600);
});

test("the checksum", () => expect(crc32(Buffer.from("123456789"))).toBe(0xcbf43926));
