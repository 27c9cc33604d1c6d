// Text as it is written back. A property in ../parse/parse.property.test.ts checks that the output parses to the same tree.

import { expect, test } from "vitest";
import { treeOf } from "../parse/parsing.testing.ts";
import { unparse } from "./unparse.ts";

// biome-ignore format: one case per line
const cases = [
  { text: "a+b*c",                         want: "a + b * c" },
  { text: "(a+b)*c",                       want: "(a + b) * c" },
  { text: "(a*b)+c",                       want: "a * b + c" },
  { text: "a-(b-c)",                       want: "a - (b - c)" },
  { text: "(a-b)-c",                       want: "a - b - c" },
  { text: "(a==b)==c",                     want: "a == b == c" },
  { text: "a==(b==c)",                     want: "a == (b == c)" },
  { text: "a&&b&&c&&d",                    want: "a && b && c && d" },
  { text: "((a&&b)&&c)&&d",                want: "(a && b && c) && d" },
  { text: "(a||b)&&c",                     want: "(a || b) && c" },
  { text: "a?b:(c?d:e)",                   want: "a ? b : c ? d : e" },
  { text: "(a?b:c)?d:e",                   want: "(a ? b : c) ? d : e" },
  { text: "a?(b?c:d):e",                   want: "a ? (b ? c : d) : e" },
  { text: "!(a&&b)",                       want: "!(a && b)" },
  { text: "!(!a)",                         want: "!(!a)" },
  { text: "-(1)",                          want: "-(1)" },
  { text: "-(-1)",                         want: "-(-1)" },
  { text: "-(.5.a())",                     want: "-(0.5.a())" },
  { text: "a - -1",                        want: "a - -1" },
  { text: "(a+b).c[0]",                    want: "(a + b).c[0]" },
  { text: "'it\\'s'",                      want: '"it\'s"' },
  { text: "'\\n\\x00\\u2028é😀'",          want: '"\\n\\u0000\\u2028é😀"' },
  { text: "b'\\xffa\\\"'",                 want: 'b"\\xffa\\""' },
  { text: "1.0 + 1e21 + 7u + 1e-7",        want: "1.0 + 1e+21 + 7u + 1e-7" },
  { text: "[?a,b]",                        want: "[?a, b]" },
  { text: "{?'a':b,c:d}",                  want: '{?"a": b, c: d}' },
  { text: "a.b.M{?f:1,`g-h`:2}",           want: "a.b.M{?f: 1, `g-h`: 2}" },
  { text: "a.?b[?c].`in`.if",              want: "a.?b[?c].`in`.if" },
  { text: ".a.f(.b)",                      want: ".a.f(.b)" },
  { text: "has(a.b)&&a.all(x,has(x.c))",   want: "has(a.b) && a.all(x, has(x.c))" },
  { text: "a.map(x,x.filter(y,y>x)).size()", want: "a.map(x, x.filter(y, y > x)).size()" },
  { text: "a.?b.optMap(x,x+1).orValue(0)", want: "a.?b.optMap(x, x + 1).orValue(0)" },
  { text: "a // gone\n+ b",                want: "a + b" },
];
test.each(cases)("$text", ({ text, want }) => expect(unparse(treeOf(text))).toBe(want));

test("a fold without its macro call cannot be written", () => {
  const ast = { ...treeOf("a.all(x, x)"), macroCalls: new Map() };
  expect(() => unparse(ast)).toThrow("no macro call is recorded for the comprehension");
});
