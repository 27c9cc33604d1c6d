import { expect, test } from "vitest";
import { repeatedFields } from "./repeated-fields.ts";

// biome-ignore format: one case per line
test.each([
  ['{"data":{"a":"1","a":"2"}}',                          ["data.a"]],
  ['[{"op":"add","op":"add","path":"/x"}]',               ["[0].op"]],
  ['{"a":[{"b":1},{"b":1,"c":{"d":[1,2],"d":null}}]}',    ["a[1].c.d"]],
  ['{"a":"a","b":{"a":1},"c":["a","a"]}',                 []],
  ['{"a\\"":1,"a\\"":2,"a\\"":3}',                        ['a"']],
  ["null",                                                []],
])("%s", (text, want) => expect(repeatedFields(text)).toEqual(want));
