// The engine's answers, in the words and the form of the reference's.

import { Double, type Env, type EvaluationResult, PlanIssue } from "@celadon/cel";
import { taggedValue } from "@celadon/cel/values";
import { readDocument } from "@celadon/kube/read";
import { CURRENT, type Minor } from "@celadon/kube/versions";
import {
  admissionTypes,
  admissionVariables,
  compileExpression,
  kubeEnv,
  pricesAdmission,
  serverOptions,
} from "@celadon/kube-cel";
import type { Case } from "./cases.ts";
import { DOCUMENTS } from "./documents.ts";

export interface Answer {
  readonly compileError?: string;
  readonly type?: string;
  readonly value?: unknown;
  readonly error?: string;
  readonly cost?: number;
  /** The reference panicked, which its callers do not survive; or this engine threw, which it never should. */
  readonly panic?: string;
}

const ABSENT = { object: null, oldObject: null, params: null, request: null, namespaceObject: null };

/** The environment of ValidatingAdmissionPolicies with params, for expressions being written on a server of a minor. */
export function policyEnv(minor: Minor = CURRENT): Env {
  return kubeEnv({
    ...serverOptions(minor, "newExpressions").environment,
    strictCosts: pricesAdmission(minor),
    variables: admissionVariables({ params: true }),
    provider: admissionTypes,
  }) as Env;
}

/** Both forms' answers; the expression is parsed and checked once. */
export function answers(env: Env, { expr, vars }: Case): readonly [interpreted: Answer, compiled: Answer] {
  try {
    const result = compileExpression(env, expr, { mode: "interpreted" });
    if (!result.ok) return twice({ compileError: result.message });
    const { checked, program } = result;
    const type = String(checked.type);
    const variables = { ...ABSENT, ...variablesOf(vars) };
    const interpreted = evaluated(type, program.evaluate(variables));
    const compiled = env.plan(checked, { mode: "compiled" });
    if (compiled instanceof PlanIssue) return [interpreted, { panic: `not compiled: ${compiled.message}` }];
    return [interpreted, evaluated(type, compiled.evaluate(variables))];
  } catch (thrown) {
    return twice({ panic: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) });
  }
}

const twice = (answer: Answer): readonly [Answer, Answer] => [answer, answer];

function evaluated(type: string, { value, error, cost }: EvaluationResult): Answer {
  return error === undefined ? { type, cost, value: taggedValue(value) } : { type, cost, error: error.message };
}

type Variables = Readonly<Record<string, unknown>>;

/** Documents that many cases share, read once: nothing is written to data. */
const shared = new Map<string, Variables>();

function variablesOf(text: string): Variables {
  let variables = shared.get(text);
  if (variables === undefined) {
    variables = read(text);
    if (DOCUMENTS.includes(text)) shared.set(text, variables);
  }
  return variables;
}

function read(text: string): Variables {
  const document = readDocument(text, { format: "json", double: (n) => new Double(n) });
  if (!("value" in document)) throw new Error(`no document: ${text}`);
  return document.value as Variables;
}

/** One text per answer: the same text means the same answer. Syntax errors are compared by place; the parser's words differ. */
export function textOf({ compileError, type, value, error, cost, panic }: Answer): string {
  if (compileError !== undefined) return JSON.stringify(compileError.replace(/Syntax error:.*/g, "Syntax error"));
  return JSON.stringify([type, cost, error, value, panic]);
}
