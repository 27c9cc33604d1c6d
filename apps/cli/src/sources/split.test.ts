import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Part, splitDocuments, splitList } from "./split.ts";
import { splitJsonList } from "./split-json.ts";

const texts = (text: string, parts: readonly Part[]): string[] => parts.map(({ start, end }) => text.slice(start, end));

describe("documents", () => {
  // biome-ignore format: one case per line
  const cases = [
    { text: "",                                   want: [""] },
    { text: "a: 1\n",                             want: ["a: 1\n"] },
    { text: "a: 1\n---\nb: 2\n",                  want: ["a: 1\n", "---\nb: 2\n"] },
    { text: "---\na: 1\n--- # c\nb: 2\n---",      want: ["---\na: 1\n", "--- # c\nb: 2\n", "---"] },
    { text: "a: 1\r\n---\r\nb: 2\r\n",            want: ["a: 1\r\n", "---\r\nb: 2\r\n"] },
    { text: "a: |\n  ---\n---x: 1\n ---\n",       want: ["a: |\n  ---\n---x: 1\n ---\n"] },
    { text: "%YAML 1.2\n---\na: 1\n",             want: ["%YAML 1.2\n---\na: 1\n"] },
    { text: "# c\n%YAML 1.2\n# d\n\n---\na: 1\n---\nb: 1\n", want: ["# c\n%YAML 1.2\n# d\n\n---\na: 1\n", "---\nb: 1\n"] },
    { text: "a: 1\n...\n%YAML 1.2\n---\nb: 2\n",  want: ["a: 1\n...\n", "%YAML 1.2\n---\nb: 2\n"] },
    { text: "a: 1\n%b\n---\nb: 2\n",             want: ["a: 1\n%b\n", "---\nb: 2\n"] },
    { text: "%A\n---\n%B\n---\nb: 2\n",          want: ["%A\n---\n%B\n", "---\nb: 2\n"] },
    { text: '{"a":1}\n{"b":2}\n',                 want: ['{"a":1}\n', '{"b":2}\n'] },
    { text: '{"a":1}\n{"b":\n{"c":1}',            want: ['{"a":1}\n{"b":\n{"c":1}'] },
    { text: '{"a":1}\n{"b":2}\n{"c":\n',          want: ['{"a":1}\n', '{"b":2}\n', '{"c":\n'] },
    { text: '{\n"a":1}\n{\n"b":2}\n',             want: ['{\n"a":1}\n{\n"b":2}\n'] },
  ];
  test.each(cases)("$text", ({ text, want }) => expect(texts(text, [...splitDocuments(text)])).toEqual(want));

  test("nothing is lost, and every other part starts with a marker", () => {
    const line = fc.constantFrom("---", "--- ", "---x", "a: 1", "", "# c", "%YAML 1.2", "...", "  ---", '{"a":1}');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom("\n", "\r\n"), (lines, end) => {
        const text = lines.join(end);
        expect(texts(text, [...splitDocuments(text)]).join("")).toBe(text);
      }),
    );
  });
});

describe("items of a YAML list", () => {
  // biome-ignore format: one case per line
  const cases = [
    { text: "kind: List\nitems:\n- a: 1\n  b: 2\n- c: 3\n",      want: { head: "kind: List\n", items: ["- a: 1\n  b: 2\n", "- c: 3\n"], tail: "" } },
    { text: "items:\n  - a: 1\n    b:\n    - x\n  - c\nkind: List\n", want: { head: "", items: ["  - a: 1\n    b:\n    - x\n", "  - c\n"], tail: "kind: List\n" } },
    { text: "items:\n# one\n- a: 1\n\n# two\n- b: 1\nkind: L",    want: { head: "", items: ["# one\n- a: 1\n\n# two\n", "- b: 1\n"], tail: "kind: L" } },
    { text: "---\nitems: # all\n-\n  a: 1\n- b\n",               want: { head: "---\n", items: ["-\n  a: 1\n", "- b\n"], tail: "" } },
    { text: "items: []\n",                                       want: undefined },
    { text: "items:\n  a: 1\n",                                  want: undefined },
    { text: "items:\n",                                          want: undefined },
    { text: "spec:\n  items:\n  - a\n",                          want: undefined },
  ];
  test.each(cases)("$text", ({ text, want }) => {
    const parts = splitList(text, { start: 0, end: text.length });
    expect(
      parts && {
        head: texts(text, [parts.head])[0],
        items: texts(text, parts.items),
        tail: texts(text, [parts.tail])[0],
      },
    ).toEqual(want);
  });

  test("only of the document asked about", () => {
    const text = "a: 1\n---\nitems:\n- a\n---\nb: 1\n";
    expect(splitList(text, { start: 0, end: 5 })).toBeUndefined();
    expect(texts(text, splitList(text, { start: 5, end: 20 })!.items)).toEqual(["- a\n"]);
  });
});

describe("items of a JSON list", () => {
  // biome-ignore format: one case per line
  const cases = [
    { text: '{"kind":"List","items":[{"a":1},{"b":[{}]}]}',       want: { head: '{"kind":"List","items":[', items: ['{"a":1}', '{"b":[{}]}'], tail: "]}" } },
    { text: ' { "a" : {"items":[1]} , "items" : [ {"x":"]}\\""} ] , "k":1 }\n', want: { head: ' { "a" : {"items":[1]} , "items" : [', items: ['{"x":"]}\\""}'], tail: '] , "k":1 }\n' } },
    { text: '{"items":[]}',             want: undefined },
    { text: '{"items":{}}',             want: undefined },
    { text: '{"items":[1]}',            want: undefined },
    { text: '{"items":[{"a":1}',        want: undefined },
    { text: '{"items":[{"a":"',         want: undefined },
    { text: '{"items" [{}]}',           want: undefined },
    { text: '[{"items":[{}]}]',         want: undefined },
    { text: "",                         want: undefined },
  ];
  test.each(cases)("$text", ({ text, want }) => {
    const parts = splitJsonList(text, { start: 0, end: text.length });
    expect(
      parts && {
        head: texts(text, [parts.head])[0],
        items: texts(text, parts.items),
        tail: texts(text, [parts.tail])[0],
      },
    ).toEqual(want);
  });

  test("those that JSON has", () => {
    const items = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        items,
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(undefined, 2),
        (all, other, indent) => {
          const text = JSON.stringify({ first: other, items: all, last: other }, null, indent);
          const parts = splitJsonList(text, { start: 0, end: text.length })!;
          expect(texts(text, parts.items).map((item) => JSON.parse(item))).toEqual(JSON.parse(JSON.stringify(all)));
        },
      ),
    );
  });
});
