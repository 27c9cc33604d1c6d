// `eval --batch` reproduces every recorded vector: type, value, error, cost and compile error to the letter. For syntax errors only
// position and frame are compared: the reference lists the tokens its generated parser expected.

import { expect, test } from "vitest";
import {
  KNOWN_DIFFERENCES,
  RECORDED_WITH,
  readVectorLines,
  type Vector,
  vectorAreas,
} from "../../../../packages/kube-cel/src/vectors.testing.ts";
import { celadon, folder, shell } from "./run.testing.ts";

type Answer = Omit<Vector, "expr" | "vars"> & { readonly inputError?: string };

const areas = vectorAreas();
const lines = areas.flatMap(readVectorLines);

test(`${areas.length} areas in one run`, async () => {
  const cwd = folder({ "vectors.jsonl": `${lines.join("\n")}\n` });
  const { code, stdout, stderr } = await celadon(
    ["eval", "--batch", "vectors.jsonl", "--kube-version", RECORDED_WITH],
    { cwd },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
  expect(answers).toHaveLength(lines.length);
  const wrong: Record<string, unknown> = {};
  for (const [i, line] of lines.entries()) {
    const { expr: _, vars: __, ...want } = JSON.parse(line) as Vector;
    const got = answers[i]!;
    if (JSON.stringify(comparable(got)) !== JSON.stringify(comparable(want))) wrong[want.id] = { want, got };
  }
  expect(Object.keys(wrong).sort()).toEqual(Object.keys(KNOWN_DIFFERENCES).sort());
});

test("from a pipe, one line at a time", async () => {
  const [line = ""] = lines;
  const { expr: _, vars: __, ...want } = JSON.parse(line) as Vector;
  const { code, stdout } = await shell("head -1 | celadon eval --batch -", { stdin: `${line}\n` });
  expect({ code, answer: comparable(JSON.parse(stdout)) }).toEqual({ code: 0, answer: comparable(want) });
});

function comparable({ id, type, value, error, compileError, cost }: Answer): Answer {
  if (compileError !== undefined) return { id, compileError: withoutExpectations(compileError) };
  return { id, ...(error === undefined ? { type, value, cost } : { type, error, cost }) } as Answer;
}

/** The words of a syntax error up to where they stand, and the frame below. */
function withoutExpectations(text: string): string {
  return text.replace(/(<input>:\d+:\d+: )Syntax error:.*/g, "$1Syntax error");
}
