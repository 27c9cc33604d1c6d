// Many expressions: lines `{id, expr, vars}` in, lines `{id, type, value | error | compileError, cost}` out, in the same order. A line
// that is none of it is answered with an `inputError`, one that makes this program itself fail with an `internalError`; neither ends
// the run.

import { isRecord, own, thrownText } from "@celadon/base";
import { Double } from "@celadon/cel";
import { taggedValue } from "@celadon/cel/values";
import { type ReadOptions, readDocument, readIssueText } from "@celadon/kube/read";
import type { Minor } from "@celadon/kube-cel";
import { type EvaluatedExpression, Evaluator } from "@celadon/simulator";
import { visible } from "../output/visible.ts";

export interface BatchSummary {
  /** Lines that are not blank. */
  readonly lines: number;
  /** Lines that could not be read. */
  readonly broken: number;
  /** Lines at which the program itself failed. */
  readonly failed: number;
}

/** Writes every answer as soon as it is known: a failing line does not affect the answers of the others. */
export function evaluateBatch(
  text: string,
  file: string,
  version: Minor,
  write: (line: string) => void,
  signal: AbortSignal,
): BatchSummary {
  const evaluator = new Evaluator(version);
  let [lines, broken, failed, number] = [0, 0, 0, 0];
  for (const line of linesOf(text)) {
    number++;
    if (line.trim() === "") continue;
    lines++;
    signal.throwIfAborted();
    const { answer, outcome } = answered(line, `${file}:${number}`, evaluator);
    if (outcome === "broken") broken++;
    if (outcome === "failed") failed++;
    write(`${visible(answer)}\n`);
  }
  return { lines, broken, failed };
}

interface Answered {
  readonly answer: string;
  readonly outcome: "fine" | "broken" | "failed";
}

/** A line's answer as text. An exception, which no line should cause, is the answer to that line alone. */
function answered(line: string, place: string, evaluator: Evaluator): Answered {
  let id: Record<string, unknown> = {};
  try {
    const read = readLine(line, place);
    id = read.id;
    if ("inputError" in read)
      return { answer: JSON.stringify({ ...id, inputError: read.inputError }), outcome: "broken" };
    const evaluated = evaluator.evaluate(read.expression, read.variables);
    return { answer: JSON.stringify({ ...id, ...evaluatedJson(evaluated) }), outcome: "fine" };
  } catch (thrown) {
    const message = thrownText(thrown);
    return { answer: JSON.stringify({ ...id, internalError: message }), outcome: "failed" };
  }
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

type Line =
  | { readonly id: Record<string, unknown>; readonly inputError: string }
  | {
      readonly id: Record<string, unknown>;
      readonly expression: string;
      readonly variables: Readonly<Record<string, unknown>>;
    };

/** As everywhere in Kubernetes, the last of several equal keys in JSON counts. */
const BATCH_LINE: ReadOptions = {
  format: "json",
  duplicateKeys: "last",
  double: (n) => new Double(n),
  limits: { depth: DEPTH },
};

function readLine(line: string, place: string): Line {
  const read = readDocument(line, BATCH_LINE);
  if (!("value" in read)) return { id: {}, inputError: `${place}: ${read.map(readIssueText).join("; ")}` };
  const given = isRecord(read.value) ? read.value : {};
  const id = Object.hasOwn(given, "id") ? { id: idOf(given.id) } : {};
  const expression = own(given, "expr");
  if (typeof expression !== "string") {
    return { id, inputError: `${place}: each line must be an object with a string "expr"` };
  }
  const vars = Object.hasOwn(given, "vars") ? given.vars : {};
  if (!isRecord(vars)) return { id, inputError: `${place}: "vars" must be an object` };
  return { id, expression, variables: vars };
}

/** An id is given back as it is, but for integers too large for JSON.stringify: those become text. */
function idOf(id: unknown): unknown {
  if (typeof id === "bigint") return String(id);
  if (typeof id !== "object" || id === null) return id;
  return JSON.parse(JSON.stringify(id, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part)));
}

/** Values tagged with their types, so that nothing is lost. */
export function evaluatedJson(evaluated: EvaluatedExpression): Record<string, unknown> {
  if ("compileError" in evaluated) return { compileError: evaluated.compileError };
  const { type, cost } = evaluated;
  if ("error" in evaluated) return { type, error: evaluated.error, cost };
  return { type, value: taggedValue(evaluated.value), cost };
}
