import { describe, expect, test } from "vitest";
import { ReadFailure } from "./issue.ts";
import { readDocuments } from "./read.ts";
import { checkYamlDepth } from "./yaml-depth.ts";

const MANY = 20_000;
const nestedMaps = (levels: number): string =>
  `${Array.from({ length: levels }, (_, i) => `${" ".repeat(i)}a:\n`).join("")}${" ".repeat(levels)}b`;

describe("texts nested deeply in every way YAML has", () => {
  // biome-ignore format: one case per line
  const cases = [
    { name: "lists",                 text: `a: ${"[".repeat(MANY)}${"]".repeat(MANY)}`,  at: 503 },
    { name: "lists without an end",  text: "[".repeat(MANY),                              at: 500 },
    { name: "maps",                  text: `a: ${"{b: ".repeat(MANY)}`,                   at: undefined },
    { name: "brackets in texts",     text: `a: ${'["]", '.repeat(MANY)}`,                 at: undefined },
    { name: "blocks on one line",    text: `${"- ".repeat(MANY)}a`,                       at: undefined },
    { name: "keys of keys",          text: `${"? ".repeat(MANY)}a`,                       at: undefined },
    { name: "blocks line by line",   text: nestedMaps(1000),                              at: undefined },
  ];
  test.each(cases)("$name", ({ text, at }) => {
    const { documents, issues } = readDocuments(text, { format: "yaml" });
    expect(documents).toEqual([]);
    expect(issues.map(({ code, message }) => [code, message])).toEqual([
      ["too_deep", "nested more than 500 levels deep"],
    ]);
    if (at !== undefined) expect(Math.abs(issues[0]!.offset - at)).toBeLessThan(3);
  });
});

test.each([
  ["as deep as allowed", `a: ${"[".repeat(490)}${"]".repeat(490)}`],
  ["many side by side", `[${"[], ".repeat(MANY)}]`],
  ["brackets in a text", `a: "${"[".repeat(MANY)}"`],
  ["a rule of dashes", `a: |\n  ${"- ".repeat(MANY)}`],
  ["far to the right", `a:\n${" ".repeat(MANY)}b`],
])("passes: %s", (_, text) => {
  expect(() => checkYamlDepth(text, 500)).not.toThrow(ReadFailure);
});
