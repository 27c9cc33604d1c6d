import { Double } from "@celadon/base";
import { expect, test } from "vitest";
import { compareValues, sameValue } from "./value.ts";

// biome-ignore format: one pair per line
test.each([
  [9007199254740993n,    9007199254740992n,     1],
  [9223372036854775800n, 9223372036854775807n, -1],
  [9223372036854775800n, 2 ** 63,               0],
  [1,                    new Double(1),         0],
  [9007199254740993n,    1.5,                   1],
])("%s beside %s: integers exactly, beside a double as doubles", (a, b, order) => {
  expect([compareValues(a, b), sameValue(a, b)]).toEqual([order, order === 0]);
});
