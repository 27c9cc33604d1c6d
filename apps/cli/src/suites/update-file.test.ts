// Only what changes changes.

import { expect, test } from "vitest";
import { edited } from "./update-file.ts";

const BLOCK = `# what it is about
tests:
  # the first
  - name: a   # named
    expect:
      message: old   # why
      warnings:
        - one
        - two

  - name: b
    object: x.yaml

# the end
other: 1
`;
const PATH = ["tests", 0, "expect"];

// biome-ignore format: one case per line
const cases: { name: string; text: string; path: (string | number)[]; value: unknown; find: string; put: string }[] = [
  { name: "a scalar, its comment stays",    text: BLOCK, path: [...PATH, "message"],           value: "new: text",         find: "old   #",                put: '"new: text"   #' },
  { name: "a word of YAML 1.1",             text: BLOCK, path: [...PATH, "message"],           value: "yes",               find: "old   #",                put: '"yes"   #' },
  { name: "lines",                          text: BLOCK, path: [...PATH, "message"],           value: "a\nb",              find: "old   #",                put: '"a\\nb"   #' },
  { name: "a block list",                   text: BLOCK, path: [...PATH, "warnings"],          value: ["three"],           find: "- one\n        - two",   put: "- three" },
  { name: "a block list, none",             text: BLOCK, path: [...PATH, "warnings"],          value: [],                  find: "- one\n        - two",   put: "[]" },
  { name: "a new entry",                    text: BLOCK, path: ["tests", 1, "expect"],         value: "deny",              find: "x.yaml",                 put: "x.yaml\n    expect: deny" },
  { name: "a new object",                   text: BLOCK, path: ["tests", 1, "expect"],         value: { verdict: "deny", message: "a, b" }, find: "x.yaml", put: "x.yaml\n    expect:\n      verdict: deny\n      message: a, b" },
  { name: "a new field",                    text: BLOCK, path: [...PATH, "cost"],              value: 5,                   find: "- two",                  put: "- two\n      cost: 5" },
  { name: "in one line",                    text: "tests: [{ name: a, expect: { message: old, cost: 1 } }]\n", path: [...PATH, "message"], value: "a, b", find: "old", put: '"a, b"' },
  { name: "a new entry in one line",        text: "tests: [{ name: a }]\n",                    path: PATH, value: { verdict: "deny" }, find: "a }", put: "a, expect: { verdict: deny } }" },
  { name: "a collection in one line",       text: "tests: [{ name: a, expect: { warnings: [x] } }]\n", path: [...PATH, "warnings"], value: ["y z", "]"], find: "[x]", put: '[ y z, "]" ]' },
  { name: "JSON",                           text: '{"tests": [{"name": "a"}]}\n',              path: PATH, value: "deny", find: '"a"}', put: '"a", "expect": "deny"}' },
];

test.each(cases)("$name", ({ text, path, value, find, put }) => {
  expect(text.split(find)).toHaveLength(2);
  expect(edited(text, 1, [{ path, value }])).toBe(text.replace(find, () => put));
});

test("in the document that has the line", () => {
  const item = "tests:\n- name: a\n  expect: allow\n";
  const text = `${item}---\n${item}`;
  expect(edited(text, 5, [{ path: PATH, value: "deny" }])).toBe(`${item}---\n${item.replace("allow", "deny")}`);
});

test("line ends stay", () => {
  const text = BLOCK.replaceAll("\n", "\r\n");
  const put = text.replace("x.yaml", "x.yaml\r\n    expect: deny");
  expect(edited(text, 1, [{ path: ["tests", 1, "expect"], value: "deny" }])).toBe(put);
});
