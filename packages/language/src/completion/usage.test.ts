import { afterEach, expect, test, vi } from "vitest";
import { ExpressionText } from "../expression/written.ts";
import { Usage } from "./usage.ts";

afterEach(() => vi.restoreAllMocks());

test("members are counted behind their operand", () => {
  const usage = new Usage();
  usage.add("has(object.spec.replicas) && oldObject.spec.replicas > a.b(c)[0].d", 1);
  expect(usage.behind("object.spec", "replicas")).toBe(2);
  expect(usage.behind("a.b(c)[0]", "d")).toBe(1);
  expect([usage.member("spec"), usage.name("c")]).toEqual([2, 1]);
});

test.each([
  ["members", `a${".b".repeat(4000)}`],
  ["calls", `a${".b()".repeat(4000)}`],
  ["brackets", `${"(".repeat(4000)}a${").b".repeat(4000)}`],
])("an endless chain is read in few steps for each member: %s", (_, text) => {
  const steps = vi.spyOn(ExpressionText.prototype, "textOf");
  const usage = new Usage();
  usage.add(text, 1);
  expect(usage.member("b")).toBe(4000);
  expect(steps.mock.calls.length).toBeLessThan(4000 * 250);
});
