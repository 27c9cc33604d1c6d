// The place of the cursor `¦`: path, typed text, and key or value.

import { describe, expect, test } from "vitest";
import { looseScalar } from "./loose-scalar.ts";
import { yamlCursor } from "./yaml-cursor.ts";

function at(marked: string): string {
  const offset = marked.indexOf("¦");
  const text = marked.replace("¦", "");
  const found = yamlCursor(text, offset);
  if (found === undefined) return "none";
  const more = found.at === "key" && found.orValue ? "?" : "";
  return `${found.at}${more} ${found.path.join(".")} '${found.typed}' [${text.slice(found.range.start, found.range.end)}]`;
}

// biome-ignore format: one case per line
describe("cursor", () => {
  test.each([
    ["ki¦",                                                  "key  'ki' [ki]"],
    ["¦",                                                    "key  '' []"],
    ["kind: Po¦d\n",                                         "value kind 'Po' [Pod]"],
    ["kind: ¦\nspec:\n",                                     "value kind '' []"],
    ["spec:\n  ¦",                                           "key? spec '' []"],
    ["spec:\n  val¦",                                        "key? spec 'val' [val]"],
    ["spec:\n  a: 1\n  val¦",                                "key spec 'val' [val]"],
    ["spec:\n  a: 1\n  ¦\n  b: 2",                           "key spec '' []"],
    ["spec:\n  validations:\n  - ex¦",                       "key? spec.validations.0 'ex' [ex]"],
    ["spec:\n  validations:\n  - ¦",                         "key? spec.validations.0 '' []"],
    ["spec:\n  validations:\n  - expression: a\n    me¦",    "key spec.validations.0 'me' [me]"],
    ["spec:\n  validations:\n  - a: 1\n  - b: 2\n    c: ¦x", "value spec.validations.1.c '' [x]"],
    ["spec:\n  validations:\n    - a: 1\n  fail¦urePolicy: x", "key spec 'fail' [failurePolicy]"],
    ["a:\n- b: |\n    one ¦two\n  c: 1",                     "value a.0.b '\n    one ' [|\n    one two]"],
    ["a:\n- b: |\n    one\n    ¦\n  c: 1",                   "value a.0.b '\n    one\n    ' [|\n    one\n    ]"],
    ["a: |\n  x: 1\nb: ¦",                                   "value b '' []"],
    ["a: 'it''s ¦x'",                                        "value a 'it''s ' ['it''s x']"],
    ["a: \"open ¦x\nb: 1",                                   "value a 'open ' [\"open x]"],
    ["a: x # no¦te",                                         "none"],
    ["# no¦te",                                              "none"],
    ["a: one\n  two ¦three\nb: 1",                           "value a 'one\n  two ' [one\n  two three]"],
    ["a: x ¦",                                               "value a 'x ' [x ]"],
    ["r:\n- { apiGroups: [apps], res¦ }",                    "key r.0 'res' [res]"],
    ["r:\n- { apiGroups: [ap¦ps], b: 1 }",                   "value r.0.apiGroups.0 'ap' [apps]"],
    ["r:\n- { apiGroups: [a, ¦], b: 1 }",                    "value r.0.apiGroups.1 '' []"],
    ["r: [A, B¦",                                            "value r.1 'B' [B]"],
    ["r: { a: \"x¦y\" }",                                    "value r.a 'x' [\"xy\"]"],
    ["- a\n- b¦",                                            "key? 1 'b' [b]"],
    ["x:\n  - a\n  - b¦",                                    "key? x.1 'b' [b]"],
    ["a: 1\r\nb:\r\n  c: ¦d\r\n",                            "value b.c '' [d]"],
    ['{"a": {"b": "c¦"}}',                                   "value a.b 'c' [\"c\"]"],
    ['{"a": {"b¦": 1}}',                                     "key a 'b' [\"b\"]"],
  ])("%j", (text, want) => expect(at(text)).toBe(want));
});

// biome-ignore format: one case per line
test.each([
  ["a:\n- b: |\n    one\n      two¦\n  c: [",  "one\n  two\n", "one\n  two"],
  ["a:\n- b: 'it''s ¦x'\n  c: [",              "it's x",       "it's "],
  ["a:\n- b: \"x \\\"¦y\"\n  c: [",            "x \"y",        "x \""],
  ["a: \"open ¦x\nb: [",                       "open x",       "open "],
  ["a: {b¦",                                   "{b",           "{b"],
  ["a:\n  - x: one\n      two¦\n  b: [",       "one two",      "one two"],
])("text in a broken document %j", (marked, want, before) => {
  const offset = marked.indexOf("¦");
  const text = marked.replace("¦", "");
  const found = yamlCursor(text, offset);
  const scalar = looseScalar(text, found?.at === "value" ? found : { at: "value", path: [], typed: "", range: { start: 3, end: text.length }, from: 0 });
  expect(scalar.text).toBe(want);
  expect(scalar.text.slice(0, scalar.toValue(offset))).toBe(before);
});
