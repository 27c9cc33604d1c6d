import { Double } from "@celadon/base";
import { expect, test } from "vitest";
import { answerOf } from "../answer.testing.ts";
import { LazyList } from "../lazy-list.ts";
import { wholeText } from "../pieces.ts";
import { render, toJson } from "./json.ts";
import { render as renderYaml } from "./yaml.ts";

// biome-ignore format: one case per line
const cases = [
  { what: "plain data",             value: { a: [1, "x", null, true], b: {}, c: [] }, want: '{"a":[1,"x",null,true],"b":{},"c":[]}' },
  { what: "absent members",         value: { a: undefined, b: [undefined] },          want: '{"b":[null]}' },
  { what: "large integers",         value: { a: 2n ** 63n - 1n },                     want: '{"a":9223372036854775807}' },
  { what: "doubles",                value: [{ a: new Double(1) }, 1],                 want: '[{"a":1.0},1]' },
  { what: "control characters",     value: { "a\u009b": "\u001b[1m\u202e\u2028" },    want: '{"a\\u009b":"\\u001b[1m\\u202e\\u2028"}' },
  { what: "the same beside others", value: [1n, "\u001b[1m\u009b"],                   want: '[1,"\\u001b[1m\\u009b"]' },
  { what: "commands of runners",    value: ["##[group]", "a\nb"],                     want: '["#\\u0023[group]","a\\nb"]' },
];

test.each(cases)("$what", ({ value, want }) => {
  expect(toJson(value, 0)).toBe(want);
  const indented = toJson(value);
  // With or without what JSON.stringify cannot write, the layout is the same.
  expect(toJson([value, 1n])).toBe(`[\n  ${indented.replaceAll("\n", "\n  ")},\n  1\n]`);
});

test("lists that are made while they are written", () => {
  const items = [{ n: 1, t: "\n\u009b", deep: { a: [], b: ["x\n\n  y\n"] } }, 2n, [], "text", ["a", { b: 1 }]];
  const made = {
    kind: "X",
    gone: undefined,
    many: new LazyList([0, 1, 2, 3, 4], (i) => items[i]),
    none: new LazyList([], String),
    last: { b: 1n },
  };
  const plain = { ...made, many: items, none: [] };
  for (const format of [render, renderYaml]) {
    expect(wholeText(format(answerOf([], made)))).toBe(wholeText(format(answerOf([], plain))));
  }
});
