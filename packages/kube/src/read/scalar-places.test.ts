// Every unit of a text has its place in the file, however the text is written.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Document, Scalar } from "yaml";
import { type ReadDocument, readDocument, readDocuments } from "./index.ts";

function read(text: string): ReadDocument {
  const document = readDocument(text, { file: "f" });
  if (!("value" in document)) throw new Error(JSON.stringify(document));
  return document;
}

/** The rest of the line at the place of the first unit of `needle` in the value, and `line:column`. */
function find(text: string, needle: string, path: (string | number)[] = ["a"]): string {
  const document = read(text);
  const value = path.reduce<unknown>((item, step) => (item as Record<string, unknown>)[step], document.value) as string;
  const position = document.positionIn(path, value.indexOf(needle))!;
  return `${position.line}:${position.column} ${document.lineText(position.line)!.slice(position.column - 1)}`;
}

// biome-ignore format: one case per line
const cases: [string, string, string][] = [
  // text                                                 what          where, and the line from there
  ["a: plain text",                                       "text",       "1:10 text"],
  ["a: plain\n  text\n\n  more x",                        "more",       "4:3 more x"],
  ["a: 'it''s here'",                                     "here",       "1:11 here'"],
  ["a: 'it''s here'",                                     "'s",         "1:7 ''s here'"],
  ["a: 'one\n  two\n\n\n  three'\n",                      "\nthree",    "4:1 "],
  ['a: "tab\\tend"',                                      "\t",         '1:8 \\tend"'],
  ['a: "\\u00e9\\U0001F600 x"',                           " x",         '1:21  x"'],
  ['a: "one \\\n   two"',                                 "two",        '2:4 two"'],
  ['a: "one\n  \\  two"',                                 "two",        '2:6 two"'],
  ["a: |\n  one\n    two\n\n  three\n",                   "two",        "3:5 two"],
  ["a: |\n  one\n    two\n\n  three\n",                   "three",      "5:3 three"],
  ["a: |-\n\n  one\n",                                    "one",        "3:3 one"],
  ["a: |1+\n   one\n \n\n",                               "one",        "2:4 one"],
  ["- a\n- |2\n    x\n   y\n",                            "y",          "4:4 y"],
  ["a: |  # note\r\n  one\r\n  two\r\n",                  "two",        "3:3 two"],
  ["a: >\n  one\n  two\n\n  three\n",                     "two",        "3:3 two"],
  ["a: >\n  one\n   more\n  two\n\n\n  three\n",          "three",      "7:3 three"],
  ["a: >-\n  one\n\n   more\n\n  two\n",                  "two",        "6:3 two"],
  ["a: &x |\n  one\n  two\n",                             "two",        "3:3 two"],
  ["b: &x |\n  one\na: *x\n",                             "one",        "2:3 one"],
  ['{"a": "x\\n\\"y\\" z"}',                              "z",          '1:17 z"}'],
  ['{"a": "\\ud83d\\ude00!"}',                            "!",          '1:20 !"}'],
  ['{"b": [1], "a": "x"}',                                "x",          '1:18 x"}'],
];
test.each(cases)("%j: %j", (text, needle, want) => {
  const isList = text.startsWith("-");
  expect(find(text, needle, isList ? [1] : ["a"])).toBe(want);
});

test("an error in an expression, in the file", () => {
  const text = `kind: ValidatingAdmissionPolicy
spec:
  validations:
  - expression: |
      object.spec.replicas <= 5 &&
        object.spec.nope == 1
    message: >-
      too
      many
`;
  const document = read(text);
  const path = ["spec", "validations", 0, "expression"];
  const expression = "object.spec.replicas <= 5 &&\n  object.spec.nope == 1\n";
  expect(document.positionIn(path, expression.indexOf("nope"))).toEqual({
    file: "f",
    line: 6,
    column: 21,
    offset: text.indexOf("nope"),
  });
  expect(document.positionIn(path, expression.length)).toMatchObject({ line: 7, column: 1 });
  expect(document.positionIn(path, expression.length + 1)).toBeUndefined();
  expect(document.positionIn(path, -1)).toBeUndefined();
  expect(document.positionIn(["spec"], 0)).toBeUndefined();
  expect(document.positionIn(["nope"], 0)).toBeUndefined();
  const range = document.rangeOf(path)!;
  expect(range.style).toBe("literal");
  expect(text.slice(range.start, range.end)).toBe(
    "|\n      object.spec.replicas <= 5 &&\n        object.spec.nope == 1\n",
  );
  expect(document.rangeOf(["spec"])).toBeUndefined();
});

// biome-ignore format: one case per line
const ranges: [string, string, string][] = [
  ["a: x y # c",             "plain",   "x y"],
  ["a: 5",                   "plain",   "5"],
  ["a: x\n  y\nb: 1",        "plain",   "x\n  y"],
  ["a: !t x",                "plain",   "x"],
  ["a: 'x'",                 "single",  "'x'"],
  ['a: "x\\"" # c',          "double",  '"x\\""'],
  ["a: [1]\nb: {a: 1}",      "none",    ""],
  ["a: |\n  x\n\n# c\nb: 1", "literal", "|\n  x\n"],
  ["a: |+\n  x\n\nb: 1",     "literal", "|+\n  x\n\n"],
  ["a: >-\n  x\n",           "folded",  ">-\n  x\n"],
  ['{"a": "x" }',            "double",  '"x"'],
  ['{"a": -1.5 }',           "plain",   "-1.5"],
  ['{"a": {} }',             "none",    ""],
];
test.each(ranges)("range of %j", (text, style, want) => {
  const range = read(text).rangeOf(["a"]);
  expect(range?.style ?? "none").toBe(style);
  expect(text.slice(range?.start ?? 0, range?.end ?? 0)).toBe(want);
});

test("lines", () => {
  const { lineText } = readDocuments("a: 1\r\n\nb: 2");
  expect([0, 1, 2, 3, 4].map(lineText)).toEqual([undefined, "a: 1", "", "b: 2", undefined]);
});

test("what a tag changed cannot be traced", () => {
  expect(read("a: !!binary aGVsbG8=").positionIn(["a"], 1)).toBeUndefined();
});

describe("any text in any style", () => {
  const unit = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("a", "b", "word", "x == 'y'", '"', "'", "\\", "é", "😀", ":", "#", "%") },
    { weight: 4, arbitrary: fc.constantFrom(" ", "\n", "\n\n", "  ", "\n  ", "\t", " \n") },
    { weight: 1, arbitrary: fc.constantFrom("\r", "\u2028", "\u0085", "\0", "\u00a0", "\x1b") },
  );
  const value = fc.array(unit, { maxLength: 24 }).map((units) => units.join(""));
  const style = fc.constantFrom(
    "PLAIN",
    "QUOTE_SINGLE",
    "QUOTE_DOUBLE",
    "BLOCK_LITERAL",
    "BLOCK_FOLDED",
  ) as fc.Arbitrary<Scalar["type"]>;

  /** Whether the text at the offset stands for the unit. */
  function standsFor(text: string, offset: number, unitOfValue: string, isDouble: boolean): boolean {
    const written = text[offset]!;
    if (isDouble && written === "\\") {
      const escaped = /^\\(?:x..|u....|U.{8}|.)/.exec(text.slice(offset))![0];
      return (read(`{a: "${escaped}"}`).value as { a: string }).a.includes(unitOfValue);
    }
    if (unitOfValue === " ") return " \t\r\n\u0085".includes(written);
    if (unitOfValue === "\n") return "\n\r\u0085".includes(written) || offset >= text.length;
    return written === unitOfValue;
  }

  function check(text: string, wanted: string | undefined): void {
    const document = read(text);
    const path = ["k", 1, "a"];
    const value = (document.value as { k: { a: string }[] }).k[1]!.a;
    if (typeof value !== "string") return;
    if (wanted !== undefined) expect(value).toBe(wanted);
    const range = document.rangeOf(path)!;
    let before = range.start - 1;
    for (let i = 0; i < value.length; i++) {
      const position = document.positionIn(path, i);
      expect(position, `${JSON.stringify(text)} at ${i}`).toBeDefined();
      const { offset } = position!;
      const isLow = /[\udc00-\udfff]/.test(value[i]!);
      expect(offset, `${JSON.stringify(text)} at ${i}`).toBeGreaterThanOrEqual(isLow ? before : before + 1);
      expect(standsFor(text, offset, value[i]!, range.style === "double"), `${JSON.stringify(text)} at ${i}`).toBe(
        true,
      );
      before = offset;
    }
    const end = document.positionIn(path, value.length)!.offset;
    expect(end).toBeGreaterThan(before - 1);
    expect(end).toBeLessThanOrEqual(range.end);
  }

  test("YAML", () => {
    fc.assert(
      fc.property(value, style, fc.constantFrom(0, 20, 40), fc.boolean(), (text, type, lineWidth, crlf) => {
        const scalar = new Scalar(text);
        if (type !== undefined) scalar.type = type;
        const document = new Document({ k: [{ x: 1 }, { a: null }], z: 1 }, { version: "1.1" });
        document.setIn(["k", 1, "a"], scalar);
        const written = document.toString({ lineWidth, minContentWidth: 0 });
        // The writer has its own mistakes: `:` is not a plain text.
        if (readDocuments(written).issues.length > 0) return;
        check(crlf ? written.replaceAll("\n", "\r\n") : written, undefined);
      }),
      { numRuns: 700 },
    );
  });

  test("lines below a block indicator", () => {
    const line = fc.constantFrom("", "x", " x", "  y z", "\tx", "   ", "x ", "word word");
    const header = fc.constantFrom("|", "|-", "|+", ">", ">-", ">+", "|1", ">2-", ">+2");
    fc.assert(
      fc.property(header, fc.array(line, { maxLength: 7 }), fc.boolean(), (mark, lines, closed) => {
        const body = lines.map((item) => (item === "" ? "" : `      ${item}`)).join("\n");
        const text = `k:\n- 1\n- x: 1\n  a: ${mark}\n${body}${closed ? "\nz: 1\n" : ""}`;
        if (readDocuments(text).issues.length === 0) check(text, undefined);
      }),
      { numRuns: 700 },
    );
  });

  test("JSON", () => {
    fc.assert(
      fc.property(value, (text) => check(JSON.stringify({ k: [0, { a: text }] }), text)),
      { numRuns: 500 },
    );
  });
});
