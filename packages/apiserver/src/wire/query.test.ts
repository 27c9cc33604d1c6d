import { expect, test } from "vitest";
import { parseQuery } from "./query.ts";

// biome-ignore format: one case per line
const cases: readonly (readonly [text: string, want: string])[] = [
  ["",                              ""],
  ["a=1&b=2&a=3",                   "a=1 b=2 a=3"],
  ["watch",                         "watch="],
  ["a=1;b=2&c=3",                   "c=3"],
  ["fieldSelector=%zz&a=%41",       "a=A"],
  ["a=%4&b=%",                      ""],
  ["%zz=1&a=b+c",                   "a=b c"],
  ["?watch=1",                      "?watch=1"],
  ["??a=%41",                       "??a=A"],
  ["a=%FF",                         "a=\ufffd"],
  ["&&a=1&&",                       "a=1"],
];
test.each(cases)("%j", (text, want) => {
  expect([...parseQuery(text)].map(([name, value]) => `${name}=${value}`).join(" ")).toBe(want);
});
