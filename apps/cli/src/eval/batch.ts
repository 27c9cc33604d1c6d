// Many expressions: lines `{id, expr, vars}` in, lines `{id, type, value | error | compileError, cost}` out, in the same order. A line
// that is none of it is answered with an `inputError` and does not end the run.

import { Double } from "@celadon/cel";
import { taggedValue } from "@celadon/cel/extend";
import { readDocument, readIssueText } from "@celadon/kube/read";
import type { Minor } from "@celadon/kube-cel";
import { type Evaluated, Evaluator } from "./evaluate.ts";

export interface BatchSummary {
  readonly text: string;
  readonly lines: number;
  /** Lines that could not be read. */
  readonly broken: number;
}

export function evaluateBatch(text: string, file: string, version: Minor, signal: AbortSignal): BatchSummary {
  const evaluator = new Evaluator(version);
  let out = "";
  let [lines, broken, number] = [0, 0, 0];
  for (const line of linesOf(text)) {
    number++;
    if (line.trim() === "") continue;
    signal.throwIfAborted();
    lines++;
    const answer = answerLine(line, `${file}:${number}`, evaluator);
    if ("inputError" in answer) broken++;
    out += `${JSON.stringify(answer)}\n`;
  }
  return { text: out, lines, broken };
}

function* linesOf(text: string): Iterable<string> {
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf("\n", start);
    yield text.slice(start, end === -1 ? text.length : end);
    if (end === -1) return;
    start = end + 1;
  }
}

/** Recorded answers test the engine's own limits with data deeper than any manifest's. */
const DEPTH = 1500;

function answerLine(line: string, place: string, evaluator: Evaluator): Record<string, unknown> {
  const read = readDocument(line, { format: "json", double: (n) => new Double(n), limits: { depth: DEPTH } });
  if (!("value" in read)) return { inputError: `${place}: ${read.map(readIssueText).join("; ")}` };
  const given = read.value as Record<string, unknown> | null;
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  const id = isObject && Object.hasOwn(given, "id") ? { id: given.id } : {};
  const expression = isObject && Object.hasOwn(given, "expr") ? given.expr : undefined;
  if (!isObject || typeof expression !== "string") {
    return { ...id, inputError: `${place}: a line is an object with a text "expr"` };
  }
  const vars = Object.hasOwn(given, "vars") ? given.vars : {};
  if (typeof vars !== "object" || vars === null || Array.isArray(vars)) {
    return { ...id, inputError: `${place}: "vars" is an object of variables` };
  }
  return { ...id, ...evaluatedJson(evaluator.evaluate(expression, vars as Record<string, unknown>)) };
}

/** Values tagged with their types, so that nothing is lost. */
export function evaluatedJson(evaluated: Evaluated): Record<string, unknown> {
  if ("compileError" in evaluated) return evaluated;
  const { type, cost } = evaluated;
  if ("error" in evaluated) return { type, error: evaluated.error, cost };
  return { type, value: taggedValue(evaluated.value), cost };
}
