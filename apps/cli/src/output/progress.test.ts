import { expect, test } from "vitest";
import { makeArgs } from "../args/parse.ts";
import { type TestSetting, testIo } from "../io.testing.ts";
import { startProgress } from "./progress.ts";

function drawn(setting: TestSetting, flags: readonly string[] = []): string {
  const io = testIo({ tick: 60, ...setting });
  const progress = startProgress("checking", makeArgs([], new Map(flags.map((flag) => [flag, [""]]))), io);
  for (let i = 1; i <= 20; i++) progress.update(i, 20, "objects");
  progress.end();
  progress.update(20, 20);
  expect(io.stdout).toBe("");
  return io.stderr;
}

test("on a terminal, after half a second, cleared at the end", () => {
  const text = drawn({ terminal: 80 });
  const updates = text.split("\r").filter((line) => line.startsWith("checking"));
  expect(updates[0]).toMatch(/^checking █+░+ 9\/20 objects/);
  expect(updates.length).toBeLessThan(12);
  expect(text.endsWith("\r\u001b[K")).toBe(true);
});

// biome-ignore format: one case per line
test.each([
  ["in a pipe",          {},                                         []],
  ["in CI",              { terminal: 80, env: { CI: "true" } },      []],
  ["on a dumb terminal", { terminal: 80, env: { TERM: "dumb" } },    []],
  ["with --quiet",       { terminal: 80 },                           ["quiet"]],
  ["for short work",     { terminal: 80, tick: 1 },                  []],
] as const)("nothing %s", (_, setting, flags) => expect(drawn(setting, flags)).toBe(""));
