// Lines are answered one by one: nothing that one of them does costs another its answer.

import { expect, test } from "vitest";
import { evaluateBatch } from "./batch.ts";

function batch(lines: readonly string[], signal = new AbortController().signal) {
  const written: string[] = [];
  const summary = evaluateBatch(lines.join("\n"), "in", "1.36", (line) => written.push(line), signal);
  return { ...summary, answers: written.map((line) => JSON.parse(line) as unknown) };
}

const line = (expr: string, id: unknown = expr): string => JSON.stringify({ id, expr });
const item = { type: "int", value: { int: "1" }, cost: 0 };

test("keys that are no numbers are shown, and values under them cannot be found", () => {
  const { answers, failed } = batch([line("1"), line("{double('NaN'): 1}"), line("1")]);
  expect(failed).toBe(0);
  expect(answers).toEqual([
    { id: "1", ...item },
    {
      id: "{double('NaN'): 1}",
      type: "map(double, int)",
      value: { map: [[{ double: "NaN" }, { other: "error" }]] },
      cost: 0,
    },
    { id: "1", ...item },
  ]);
});

test("invalid lines get an error in their place", () => {
  const { answers, broken } = batch([line("1"), "{", "[]", '{"id": 1}', '{"expr": "1", "vars": 1}', "", line("1")]);
  expect(broken).toBe(4);
  expect(answers).toMatchObject([
    item,
    { inputError: expect.stringContaining("in:2") },
    { inputError: expect.stringContaining("in:3") },
    { id: 1, inputError: expect.stringContaining("in:4") },
    { inputError: expect.stringContaining("in:5") },
    item,
  ]);
});

test("ids are given back, integers of any size included", () => {
  const ids = ["1", "1.5", "null", "true", '"a"', "12345678901234567890", "[9007199254740993, {}]"];
  const { answers } = batch(ids.map((id) => `{"id": ${id}, "expr": "1"}`));
  const shown = answers.map((answer) => (answer as { id: unknown }).id);
  expect(shown).toEqual([1, 1.5, null, true, "a", expect.anything(), ["9007199254740993", {}]]);
});

test("an internal error affects only its own line", () => {
  const real = JSON.stringify;
  JSON.stringify = (value: unknown, ...rest: unknown[]) => {
    if ((value as { id?: unknown }).id === "bad" && !("internalError" in (value as object))) throw new Error("no way");
    return (real as (...args: unknown[]) => string)(value, ...rest);
  };
  try {
    const { answers, failed } = batch(['{"id":"a","expr":"1"}', '{"id":"bad","expr":"1"}', '{"id":"b","expr":"1"}']);
    expect(failed).toBe(1);
    expect(answers).toMatchObject([
      { id: "a", ...item },
      { id: "bad", internalError: "no way" },
      { id: "b", ...item },
    ]);
  } finally {
    JSON.stringify = real;
  }
});

test("results from before the interruption are written", () => {
  const stop = new AbortController();
  const written: string[] = [];
  const write = (text: string): void => {
    written.push(text);
    stop.abort();
  };
  expect(() => evaluateBatch(`${line("1")}\n${line("2")}`, "in", "1.36", write, stop.signal)).toThrow();
  expect(written).toHaveLength(1);
});
