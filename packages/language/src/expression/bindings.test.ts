import { afterEach, expect, test, vi } from "vitest";
import { localNames } from "./bindings.ts";
import { ExpressionText } from "./written.ts";

afterEach(() => vi.restoreAllMocks());

const shown = (text: string): string[] =>
  localNames(new ExpressionText(text)).map(({ name, start, end }) => `${name}: ${text.slice(start, end)}`);

test.each([
  ["[1].all(x, x > 0) && y", ["x: x, x > 0)"]],
  ["a.map(x, b.map(y, x", ["x: x, b.map(y, x", "y: y, x"]],
  [") a.all(x, [x)", ["x: x, [x)"]],
])("%s", (text, want) => expect(shown(text)).toEqual(want));

test("macros nested without end are read in few steps for each", () => {
  const steps = vi.spyOn(ExpressionText.prototype, "textOf");
  const text = `${"[1].all(x, ".repeat(2000)}true${")".repeat(2000)}`;
  expect(shown(text)).toHaveLength(2000);
  expect(steps.mock.calls.length).toBeLessThan(2000 * 100);
});
