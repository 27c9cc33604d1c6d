import { expect, test } from "vitest";
import { readTokenFile } from "./token-file.ts";

// biome-ignore format: one case per line
const cases: readonly (readonly [text: string, want: unknown])[] = [
  ["secret,ada,1\n",                          [["secret", { username: "ada", uid: "1" }]]],
  ['a,ada,1,"dev,system:masters"\n',          [["a", { username: "ada", uid: "1", groups: ["dev", "system:masters"] }]]],
  ["a,ada,1,dev\r\n\r\nb,bob,\n",             [["a", { username: "ada", uid: "1", groups: ["dev"] }], ["b", { username: "bob", uid: "" }]]],
  ['"a""b",ada,1',                            [['a"b', { username: "ada", uid: "1" }]]],
  ["",                                        []],
  ["a,ada\n",                                 { problem: "line 1: expected at least 3 columns (token, user name, uid), found 2" }],
  ["a,ada,1\n,bob,2\n",                       { problem: "line 2: empty token" }],
  ["a,ada,1\na,bob,2\n",                      { problem: "line 2: the token is already that of ada" }],
  ['"a,ada,1\n',                              { problem: "line 1: unbalanced quotes" }],
];
test.each(cases)("%j", (text, want) => {
  const read = readTokenFile(text);
  expect("problem" in read ? read : [...(read as ReadonlyMap<string, unknown>)]).toEqual(want);
});
