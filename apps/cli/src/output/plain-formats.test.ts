import { Double } from "@celadon/cel";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { makeArgs } from "../args/parse.ts";
import { testIo } from "../io.testing.ts";
import { ANSWER, answerOf, PLAIN, RESULTS } from "./answer.testing.ts";
import { toJson } from "./format/json.ts";
import { toYaml } from "./format/yaml.ts";
import { wholeText } from "./pieces.ts";
import { render } from "./table.ts";
import { parseTargets } from "./targets.ts";
import { oneLine, screened, visible } from "./visible.ts";
import { cutTo, widthOf } from "./width.ts";
import { writeAnswer } from "./write.ts";

const data = {
  big: 9223372036854775807n,
  one: new Double(1),
  half: new Double(0.5),
  nothing: undefined,
  list: [undefined, null, [], {}],
  ["__proto__"]: { constructor: "x" },
  text: 'é\n"\u2028',
};

test("JSON keeps order and numbers", () => {
  expect(toJson({ b: 1, a: data })).toBe(`{
  "b": 1,
  "a": {
    "big": 9223372036854775807,
    "one": 1.0,
    "half": 0.5,
    "list": [
      null,
      null,
      [],
      {}
    ],
    "__proto__": {
      "constructor": "x"
    },
    "text": "é\\n\\"\\u2028"
  }
}`);
  expect(toJson({ a: [1, { b: null }] }, 0)).toBe('{"a":[1,{"b":null}]}');
});

test("YAML has the same fields", () => {
  const text = toYaml({ b: 1, a: data });
  expect(text).toMatch(/^b: 1\na:\n {2}big: 9223372036854775807\n {2}one: 1.0\n {2}half: 0.5\n/);
  expect(Object.keys(parse(text).a)).toEqual(["big", "one", "half", "list", "__proto__", "text"]);
});

// biome-ignore format: one case per line
test.each(["yes", "No", "on", "y", "0777", "1_000:30", "2024-01-01", "=", "true", "1.0", "null", "~", ""])("%j is quoted in YAML", (word) => {
  expect(toYaml({ word })).toBe(`word: "${word}"\n`);
});

test("a table is aligned by what a terminal shows", () => {
  const rows = [
    ["日本", "a"],
    ["e\u0301", "b\n  c"],
    ["x\u001b[2J", "d"],
  ];
  const answer = { ...ANSWER, table: { columns: ["name", "what it says"], rows } };
  const renderTable = (...given: Parameters<typeof render>): string => wholeText(render(...given));
  expect(renderTable(answer, PLAIN).split("\n")).toEqual([
    "NAME        WHAT IT SAYS",
    "日本        a",
    "e\u0301           b c",
    "x\\u001b[2J  d",
    "",
  ]);
  expect(
    renderTable(answer, { ...PLAIN, columns: 22 })
      .split("\n")
      .slice(0, 2),
  ).toEqual(["NAME        WHAT IT S…", "日本        a"]);
  expect(renderTable(answer, { ...PLAIN, columns: 3 }).split("\n")[3]).toBe("x\\u001b…  d");
});

// biome-ignore format: one case per line
test.each([["", 0], ["abc", 3], ["日本", 4], ["e\u0301", 1], ["😀", 2], ["a\u200bb", 2], ["é", 1]] as const)("%s is %i wide", (text, want) => expect(widthOf(text)).toBe(want));
test("cut", () => expect([cutTo("日本語", 6), cutTo("日本語", 5), cutTo("abc", 2)]).toEqual(["日本語", "日本…", "a…"]));
test.each([
  ["\u001b[31mred", "\\u001b[31mred"],
  ["a\n::error::x", "a\n:\\u003aerror::x"],
  ["  \t::stop-commands::x", "  \t:\\u003astop-commands::x"],
  ["a::b ##[group]", "a::b #\\u0023[group]"],
])("screened %j", (given, want) => expect(screened(given)).toBe(want));
test("one line", () => expect(oneLine("a\r\nb\tc\u2028")).toBe("a\\r\\nb\\tc\\u2028"));
test("visible", () => expect(visible("a\u001b]0;x\u0007\n\tb\u202e")).toBe("a\\u001b]0;x\\u0007\n\tb\\u202e"));

// biome-ignore format: one case per line
const targets = [
  { given: [],                              want: [{ format: "text" }] },
  { given: ["json"],                        want: [{ format: "json" }] },
  { given: ["json=-"],                      want: [{ format: "json" }] },
  { given: ["junit=a=b.xml"],               want: [{ format: "junit", file: "a=b.xml" }, { format: "text" }] },
  { given: ["table", "sarif=x", "yaml=y"],  want: [{ format: "sarif", file: "x" }, { format: "yaml", file: "y" }, { format: "table" }] },
];
test.each(targets)("-o $given", ({ given, want }) => {
  expect(parseTargets(makeArgs([], new Map([["output", given]])))).toEqual(want);
});
test.each([["xml"], ["json", "yaml"], ["json="], ["=x"], ["json=a", "yaml=a"], ["__proto__"]])(
  "-o %j is refused",
  (...given) => {
    expect(() => parseTargets(makeArgs([], new Map([["output", given]])))).toThrow();
  },
);

const write = async (given: Record<string, string[]>, results = RESULTS, terminal?: number) => {
  const io = testIo(terminal === undefined ? {} : { terminal });
  const code = await writeAnswer(answerOf(results), makeArgs([], new Map(Object.entries(given))), io);
  return { code, io };
};

test("colours on a terminal, not in files or pipes", async () => {
  expect((await write({}, RESULTS, 80)).io.stdout).toContain("\u001b[31mNode n1\u001b[39m");
  expect((await write({})).io.stdout).toContain("Node n1\n");
  const { io } = await write({ color: ["always"], output: ["text=out.txt"] });
  expect(io.stdout).toContain("\u001b[31m");
  expect(new TextDecoder().decode(io.contents.get("/virtual/out.txt"))).toContain("Node n1\n");
});

const warned = RESULTS.filter(({ level }) => level === "warn");
// biome-ignore format: one case per line
test.each([[{}, warned, 0], [{ "warn-exit-code": ["7"] }, warned, 7], [{ "warn-exit-code": ["7"] }, [], 0], [{ "warn-exit-code": ["7"] }, RESULTS, 1]])("%j exits as asked", async (given, results, want) => {
  expect((await write(given as Record<string, string[]>, results)).code).toBe(want);
});
