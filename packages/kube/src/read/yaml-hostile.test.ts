// Texts that are written to take long or much memory: each is read, or refused where it is wrong, in time that grows with its length.

import { describe, expect, test } from "vitest";
import { readDocuments } from "./read.ts";

const LENGTH = 400_000;
const filled = (piece: string, before = "", after = ""): string =>
  before + piece.repeat(Math.floor(LENGTH / piece.length)) + after;

describe("in time that grows with the length", () => {
  // biome-ignore format: one case per line
  const cases: { name: string; text: string; says?: string }[] = [
    { name: "collections behind a value",     text: filled("{}", "a: "),                   says: "unexpected text behind the closing }" },
    { name: "quoted texts behind a value",    text: filled("'x' ", "a: "),                 says: "unexpected text behind the closing '" },
    { name: "open brackets",                  text: filled("["),                           says: "nested more than 500 levels deep" },
    { name: "open braces",                    text: filled("{a: ", "a: "),                 says: "nested more than 500 levels deep" },
    { name: "keys of keys",                   text: filled("? "),                          says: "nested more than 500 levels deep" },
    { name: "lists of lists",                 text: filled("- "),                          says: "nested more than 500 levels deep" },
    { name: "a key without an end",           text: filled("k", "", ": 1"),                says: "YAML reads a colon" },
    { name: "quotes that are never closed",   text: filled("x\n", "a: \""),                says: "missing closing double quote" },
    { name: "keys given twice",               text: filled("a: 1\n") },
    { name: "members without values",         text: filled("a,", "{", "}") },
    { name: "small lists in a list",          text: filled("[a,b],", "[", "]") },
    { name: "anchors that are never used",    text: filled("- &a x\n") },
    { name: "merges",                         text: filled("b: {<<: *a}\n", "a: &a {x: 1}\n") },
    { name: "documents without content",      text: filled("---\n") },
    { name: "blank lines in a text",          text: filled("\n", "a: b", "  c\n") },
    { name: "blank lines in a block",         text: filled(" \n", "a: |\n") },
    { name: "comments",                       text: filled("# x\n", "", "a: 1\n") },
    { name: "joined lines",                   text: filled("\\\n", 'a: "', '"') },
    { name: "lines that end with CR",         text: filled(" a\r", "a: |\r") },
  ];
  test.each(cases)("$name", ({ text, says }) => {
    const start = performance.now();
    const { issues, warnings } = readDocuments(text, { format: "yaml", duplicateKeys: "warn" });
    // A hundred times the usual duration: a reader that goes over the text once per token takes minutes.
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(issues.map(({ message }) => message.slice(0, says?.length))).toEqual(says === undefined ? [] : [says]);
    expect(warnings.length).toBeLessThanOrEqual(1000);
  });
});

describe("what aliases write out is charged", () => {
  const repeated = (length: number, times: number): string =>
    `a:\n- &a "${"x".repeat(length)}"\n${"- *a\n".repeat(times)}`;

  test("long texts, up to the size that a text may have", () => {
    const read = (length: number, times: number): string[] =>
      readDocuments(repeated(length, times), { limits: { bytes: 3_000_000 } }).issues.map(({ message }) => message);
    expect(read(100_000, 29)).toEqual([]);
    expect(read(100_000, 200)).toEqual(["aliases write out more than 3000000 bytes of text"]);
  });

  test("a small text may be written out often, however small the limit", () => {
    const { documents, issues } = readDocuments(repeated(100, 90), { limits: { bytes: 5000 } });
    expect(issues).toEqual([]);
    expect((documents[0]!.value as { a: unknown[] }).a).toHaveLength(91);
  });

  test("keys that are aliases", () => {
    const members = Array.from({ length: 200 }, (_, i) => `- {*a : ${i}}\n`).join("");
    const { issues } = readDocuments(`- &a ${"k".repeat(50_000)}\n${members}`, { limits: { bytes: 1_000_000 } });
    expect(issues.map(({ code }) => code)).toEqual(["alias"]);
  });
});

describe("deep nesting", () => {
  test.each([
    ["as deep as allowed", `a: ${"[".repeat(490)}${"]".repeat(490)}`],
    ["many side by side", `[${"[], ".repeat(20_000)}]`],
    ["brackets in a text", `a: "${"[".repeat(20_000)}"`],
    ["a rule of dashes", `a: |\n  ${"- ".repeat(20_000)}`],
    ["far to the right", `a:\n${" ".repeat(20_000)}b`],
  ])("passes: %s", (_, text) => expect(readDocuments(text, { format: "yaml" }).issues).toEqual([]));

  test("line by line", () => {
    const levels = 1000;
    const text = `${Array.from({ length: levels }, (_, i) => `${" ".repeat(i)}a:\n`).join("")}${" ".repeat(levels)}b`;
    expect(readDocuments(text).issues).toMatchObject([{ code: "too_deep", line: 501 }]);
  });
});
