// The layout, by example.

import { expect, test } from "vitest";
import { formatExpression } from "./format.ts";

function formatted(text: string, width?: number): string {
  const result = formatExpression(text, width === undefined ? {} : { width });
  if ("issues" in result) throw new Error(result.issues.map(({ message }) => message).join("\n"));
  return result.text;
}

// biome-ignore format: one case per line
const oneLine = [
  { name: "operators",          text: "a+b*-c==d&&!e||f in[g]",           want: "a + b * -c == d && !e || f in [g]" },
  { name: "selection",          text: "a . b .?c [ ?d ] [0]. `e-f`",      want: "a.b.?c[?d][0].`e-f`" },
  { name: "calls",              text: "f ( a,b ) . g ( ) . h( 1 )",       want: "f(a, b).g().h(1)" },
  { name: "leading dots",       text: ". a . b( .c{} )",                  want: ".a.b(.c{})" },
  { name: "lists and maps",     text: "[ 1,2 , ?x ] == { 'a' :1, ?b:c }", want: "[1, 2, ?x] == {'a': 1, ?b: c}" },
  { name: "messages",           text: "a . B { c : 1 ,`d-e`:2 }",         want: "a.B{c: 1, `d-e`: 2}" },
  { name: "conditionals",       text: "a?b:c?d:e",                        want: "a ? b : c ? d : e" },
  { name: "commas at the end",  text: "[1,2,] + [,] + [{'a':1,}, M{b:2,}, {,}]", want: "[1, 2] + [] + [{'a': 1}, M{b: 2}, {}]" },
  { name: "doubled parens",     text: "(((a&&b)))||((c)) && f((d)) && g(((e)))", want: "(a && b) || (c) && f((d)) && g((e))" },
  { name: "parens that differ", text: "((a)&&(b))",                       want: "((a) && (b))" },
  { name: "signs",              text: "- 1 - - 1 + --a - (-b)",           want: "-1 - -1 + --a - (-b)" },
  { name: "spellings",          text: `0x1F+1e3+.5+7u+'a"\\u0041'+r"\\d"+"""x"""+b'\\xff'`, want: `0x1F + 1e3 + .5 + 7u + 'a"\\u0041' + r"\\d" + """x""" + b'\\xff'` },
  { name: "numbers and dots",   text: "1 .a + 1.5 .b()",                  want: "1.a + 1.5.b()" },
  { name: "white space",        text: "\r\n\t a \f\r\n ==\r\n b \n",      want: "a == b" },
];
test.each(oneLine)("$name", ({ text, want }) => expect(formatted(text)).toBe(want));

// Source, an arrow, what becomes of it within 40 columns.
const examples = `
object.metadata.name.startsWith("a") && object.metadata.name.endsWith("b")
=>
object.metadata.name.startsWith("a") &&
object.metadata.name.endsWith("b")
---
short &&
clauses || stay && separated
=>
short &&
  clauses ||
stay && separated
---
aaaaaaaaaaaaaaaaaaaaa && bbbbbbbbbbbbbbbbbbbbbbb || ccccccccccc
=>
aaaaaaaaaaaaaaaaaaaaa &&
  bbbbbbbbbbbbbbbbbbbbbbb ||
ccccccccccc
---
cond ? [ "a long enough value" ] : other ? "another value" : "b"
=>
cond
  ? ["a long enough value"]
  : other
    ? "another value"
    : "b"
---
a
? b : c
=>
a
  ? b
  : c
---
object.spec.containers.all(c, has(c.resources) && has(c.resources.limits))
=>
object.spec.containers.all(c,
  has(c.resources) &&
  has(c.resources.limits)
)
---
object.spec.containers.filter(c, c.name != "x").all(c, has(c.resources) && c.ok)
=>
object.spec.containers
  .filter(c, c.name != "x")
  .all(c, has(c.resources) && c.ok)
---
authorizer.group("").resource("pods").namespace("d").check("create").allowed()
=>
authorizer
  .group("")
  .resource("pods")
  .namespace("d")
  .check("create")
  .allowed()
---
list.map(e, {"name": e.name, "namespace": e.namespace})
=>
list.map(e, {
  "name": e.name,
  "namespace": e.namespace
})
---
Object{
spec: Object.spec{ replicas: 3 }}
=>
Object{
  spec: Object.spec{replicas: 3}
}
---
object.kind in ["Deployment", "StatefulSet", "Job",]
=>
object.kind in [
  "Deployment",
  "StatefulSet",
  "Job"
]
---
object.spec.containers + object.spec.?initContainers.orValue([]) == []
=>
object.spec.containers +
  object.spec.?initContainers.orValue([]) == []
---
f(aaaaaaaaaaaaaaaa && bbbbbbbbbbbbbbbbbbbbbbbbbb, c)
=>
f(
  aaaaaaaaaaaaaaaa &&
    bbbbbbbbbbbbbbbbbbbbbbbbbb,
  c
)
---
!(aaaaaaaaaaaaaaaaaaaaaa && bbbbbbbbbbbbbbbbb)
=>
!(
  aaaaaaaaaaaaaaaaaaaaaa &&
  bbbbbbbbbbbbbbbbb
)
---
// above
a // beside a
&& // beside and
// before b
b // beside b
// below
=>
// above
a && // beside a
// beside and
// before b
b // beside b
// below
---
[a, // first
 f(b, c), // second
 // the end
]
=>
[
  a, // first
  f(b, c) // second
  // the end
]
---
f( // nothing
)
=>
f( // nothing
)
---
a.b // why
.c
=>
a.b // why
.c
---
x.all(y, // each
y > 0)
=>
x.all(y, // each
  y > 0
)
---
a &&

// the second part


b && c
=>
a &&

// the second part
b &&
c
`;
const blocks = examples.trim().split("\n---\n");

test.each(blocks.map((block) => block.split("\n=>\n") as [string, string]))("%s", (text, want) =>
  expect(formatted(text, 40)).toBe(want),
);

test("text of several lines stays as it is", () => {
  const text = `f("""a\n   b \n""", x)`;
  expect(formatted(text)).toBe(text);
});

// biome-ignore format: one case per line
const wrong = [
  { text: "a &&",    code: "syntax_error", at: 4 },
  { text: "a.b(",    code: "syntax_error", at: 4 },
  { text: "'a",      code: "syntax_error", at: 0 },
  { text: "",        code: "syntax_error", at: 0 },
];
test.each(wrong)("not an expression: $text", ({ text, code, at }) => {
  const result = formatExpression(text);
  expect("issues" in result && result.issues.map((issue) => [issue.code, issue.span?.at])[0]).toEqual([code, at]);
});

test("names and macros are nobody's business here", () =>
  expect(formatted("has( 1 )&&x.all( 2,3 )")).toBe("has(1) && x.all(2, 3)"));

test("long and deep texts", () => {
  const chain = Array.from({ length: 5000 }, (_, i) => `a${i}`).join("&&");
  expect(formatted(chain).split("\n")).toHaveLength(5000);
  const deep = `${"[".repeat(200)}1${"]".repeat(200)}`;
  expect(formatted(deep)).toContain("1");
  expect(formatted(`${"((".repeat(100)}a${"))".repeat(100)}`)).toBe("(a)");
});
