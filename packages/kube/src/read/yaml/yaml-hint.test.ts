import { expect, test } from "vitest";
import { yamlHint } from "./yaml-hint.ts";

// biome-ignore format: one line per line
test.each<readonly [line: string | undefined, begins: string | undefined]>([
  ["    expression: !request.userInfo.groups.exists(g, g == 'a')", "YAML reads a leading !"],
  ["  - expression: size(variables.a) == 0 ? true : false", "YAML reads a colon"],
  ["  - rule: self.a ? self.b :", "YAML reads a colon"],
  ["  - expression: \"a ? b : c\"", undefined],
  ["  - expression: >-", undefined],
  ["  - expression: {a: b}", undefined],
  ["  - expression: !!str a", undefined],
  ["    reason: Invalid", undefined],
  ["  - a", undefined],
  [undefined, undefined],
])("%s", (line, begins) => {
  const hint = yamlHint(line, 5);
  expect(hint?.slice(0, begins?.length ?? 0)).toBe(begins);
});

test("an object without a line that separates it", () => {
  expect(yamlHint("apiVersion: v1", 1)).toMatch(/^if another object begins here/);
  expect(yamlHint("  apiVersion: v1", 3)).toBeUndefined();
});

test("indentation", () => {
  expect(yamlHint("\tvalidations:", 1)).toMatch(/^indent with spaces/);
  expect(yamlHint("   validations:", 1)).toMatch(/^check the indentation/);
  expect(yamlHint("validations:", 1)).toBeUndefined();
});
