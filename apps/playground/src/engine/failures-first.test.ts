import { expect, test } from "vitest";
import type { ExplainedLine, Tone } from "../model/answer.ts";
import { failuresFirst } from "./failures-first.ts";

const line = (level: number, text: string, tone: Tone, role: ExplainedLine["role"] = "expression"): ExplainedLine => ({
  level,
  text,
  tone,
  role,
  spots: [],
});

const shown = (lines: readonly ExplainedLine[]): readonly string[] =>
  failuresFirst(lines).map(({ level, text, closed }) => `${level} ${text}${closed ? " (closed)" : ""}`);

test("what failed comes first, with its parts and its message; what holds is one closed line", () => {
  const lines = [
    line(1, "Policy a", "bad", "group"),
    line(2, "one", "good"),
    line(3, "part of one", "good", "part"),
    line(2, "two", "bad"),
    line(3, "part of two", "bad", "part"),
    line(2, "message of two", "none"),
    line(2, "three", "good"),
    line(1, "Policy b", "good", "group"),
    line(2, "four", "good"),
    line(2, "five", "good"),
  ];
  expect(shown(lines)).toEqual([
    "1 Policy a",
    "2 two",
    "3 part of two",
    "2 message of two",
    "2 2 expressions hold (closed)",
    "3 one",
    "4 part of one",
    "3 three",
    "1 Policy b",
    "2 four",
    "2 five",
  ]);
});

test("one that holds is shown as it is, after the one that failed", () => {
  const lines = [line(1, "Policy a", "bad", "group"), line(2, "one", "good"), line(2, "two", "warn")];
  expect(shown(lines)).toEqual(["1 Policy a", "2 two", "2 one"]);
  expect(failuresFirst([])).toEqual([]);
});
