import { expect, test } from "vitest";
import { pushAll } from "./push-all.ts";

test("any number of items", () => {
  const list = [1];
  pushAll(
    list,
    [2, 3],
    [],
    Array.from({ length: 1_000_000 }, () => 4),
  );
  expect(list.slice(0, 4)).toEqual([1, 2, 3, 4]);
  expect(list.length).toBe(1_000_003);
});
