import { expect, test } from "vitest";
import { writtenTokens } from "./written-tokens.ts";

// biome-ignore format: one case per line
test.each([
  ["a.b == 'x'",              "name:a sign:. name:b sign:== text:'x'"],
  ["has(a) // why\n&& true",  "name:has sign:( name:a sign:) comment:// why sign:&& keyword:true"],
  ["// one\r\n// two\n1",     "comment:// one comment:// two number:1"],
  ["a // end",                "name:a comment:// end"],
  ["'//' + \"no",             "text:'//' sign:+ invalid:\"no"],
  ["a.?b[?0] in c",           "name:a sign:. sign:? name:b sign:[ sign:? number:0 sign:] keyword:in name:c"],
  ["",                        ""],
])("%j", (text, want) => {
  const shown = writtenTokens(text).map(({ is, start, end }) => `${is}:${text.slice(start, end)}`);
  expect(shown.join(" ")).toBe(want);
});
