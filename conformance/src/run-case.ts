// One case of a suite: parsed, checked and evaluated both ways, each stage compared with the suite's expectation. Returns the failures, one
// line or block each; none means that it passes.

import type { Value as ExprValue } from "@bufbuild/cel-spec/cel/expr/value_pb.js";
import {
  CelError,
  displayIssues,
  type Env,
  type EvaluationResult,
  formatType,
  type Issue,
  PlanIssue,
  printChecked,
  type Source,
  type Value,
} from "./engine.ts";
import { completeFor, hasStrongEnums, parseAlone, recordedFor, type Semantics } from "./environments.ts";
import { printParsed } from "./print-parsed.ts";
import { registry } from "./registry.ts";
import type { Case } from "./suite.ts";
import { toType } from "./types.ts";
import { show, toValue } from "./values.ts";

/** Everything the suite says of the case. */
export function runCase(testCase: Case): string[] {
  return [...checkParsed(testCase), ...checkChecked(testCase), ...checkResult(testCase, "specification")];
}

/** The tree that the parser makes, or that it refuses the text. */
export function checkParsed({ test }: Case): string[] {
  const source: Source = { name: test.original.name, text: test.original.expr };
  const { ast, issues } = parseAlone(source);
  if (test.ast === undefined) return compare("syntax errors", displayIssues(issues, source), test.error ?? "");
  if (ast === undefined || issues.length > 0) return [`parse: ${shown(issues, test.original.expr)}`];
  return compare("parse", printParsed(ast.expr), test.ast);
}

/** The types and references that the checker finds, or its errors in the reference's words. */
export function checkChecked(testCase: Case): string[] {
  const { test } = testCase;
  if (test.ast === undefined) return [];
  const env = recordedFor(testCase);
  const { ast, issues } = env.parse(test.original.expr);
  if (ast === undefined || issues.length > 0)
    return compare("errors", shown(issues, test.original.expr), test.error ?? "");
  const checked = env.check(ast);
  if (test.checkedAst === undefined)
    return compare("errors", shown(checked.issues, test.original.expr), test.error ?? "");
  if (checked.issues.length > 0) return [`check: ${shown(checked.issues, test.original.expr)}`];
  return [
    ...compare("checked tree", printChecked(checked), test.checkedAst),
    ...compare("type", formatType(checked.type), test.type ?? ""),
  ];
}

/** Compares the results of both forms. */
export function checkResult(testCase: Case, semantics: Semantics): string[] {
  const { original } = testCase.test;
  const env = completeFor(testCase, semantics);
  const { ast, issues } = env.parse(original.expr);
  if (ast === undefined || issues.length > 0) return ofIssues(testCase, issues);
  if (original.disableCheck) return evaluateBoth(env, testCase, ast);
  const checked = env.check(ast);
  if (checked.issues.length > 0) return ofIssues(testCase, checked.issues);
  const matcher = original.resultMatcher;
  const deduced = matcher.case === "typedResult" ? matcher.value.deducedType : undefined;
  const complaints =
    deduced === undefined ? [] : compare("deduced type", formatType(checked.type), formatType(toType(deduced)));
  return original.checkOnly ? complaints : [...complaints, ...evaluateBoth(env, testCase, checked)];
}

/** For expressions that state a fact, without saying so: where they compile, and answer a bool, it is true. */
export function checkFact(testCase: Case): string[] {
  const env = completeFor(testCase, "reference");
  const compiled = env.compile(testCase.test.original.expr);
  if (!compiled.ok) return [];
  return compiled.checked.type.kind === "bool" ? evaluateBoth(env, testCase, compiled.checked) : [];
}

/** A text that does not compile is an error, which the case may expect if the reference does not compile it either. */
function ofIssues({ test }: Case, issues: readonly Issue[]): string[] {
  if (test.original.resultMatcher.case === "evalError" && test.error !== undefined) return [];
  return [`compile: ${shown(issues, test.original.expr)}`];
}

/** Without the checker's help the same expression gives the same answer. */
export function checkUnchecked(testCase: Case): string[] {
  const { original } = testCase.test;
  const env = completeFor(testCase, "reference");
  const compiled = env.compile(original.expr, { mode: "interpreted" });
  if (original.disableCheck || original.checkOnly || !compiled.ok) return [];
  const program = env.plan(compiled.checked.ast, { mode: "interpreted" });
  if (program instanceof PlanIssue) return [`unchecked: ${program.message}`];
  const variables = variablesOf(testCase);
  const [checked, unchecked] = [compiled.program.evaluate(variables), program.evaluate(variables)];
  return compare("unchecked", shownOutcome(unchecked), shownOutcome(checked));
}

const shownOutcome = ({ error, value }: EvaluationResult): string =>
  error === undefined ? show(value) : `error: ${error.message}`;

function variablesOf(testCase: Case): Record<string, Value> {
  const variables: Record<string, Value> = {};
  for (const [name, binding] of Object.entries(testCase.test.original.bindings)) {
    if (binding.kind.case !== "value") throw new Error(`binding ${name} of kind ${binding.kind.case}`);
    variables[name] = given(testCase, binding.kind.value);
  }
  return variables;
}

function evaluateBoth(env: Env, testCase: Case, input: Parameters<Env["plan"]>[0]): string[] {
  const variables = variablesOf(testCase);
  const outcomes: string[] = [];
  const complaints: string[] = [];
  for (const mode of ["interpreted", "compiled"] as const) {
    const program = env.plan(input, { mode });
    if (program instanceof PlanIssue) {
      outcomes.push(program.message);
      complaints.push(...judge(mode, testCase, new CelError("invalid_argument", program.message)));
      continue;
    }
    const outcome = program.evaluate(variables);
    outcomes.push(`${shownOutcome(outcome)} at cost ${outcome.cost}`);
    complaints.push(...judge(mode, testCase, outcome.error ?? outcome.value));
  }
  return [...complaints, ...compare("compiled and interpreted", outcomes[1] ?? "", outcomes[0] ?? "")];
}

/** Compares one result with the expectation of the case: a value, any error, or by default true. */
function judge(mode: string, testCase: Case, result: unknown): string[] {
  const matcher = testCase.test.original.resultMatcher;
  switch (matcher.case) {
    case "evalError":
      return result instanceof CelError ? [] : [`${mode}: expected an error, got ${show(result)}`];
    case "value":
      return compare(mode, show(result), show(given(testCase, matcher.value)));
    case "typedResult":
      return compare(mode, show(result), show(given(testCase, matcher.value.result)));
    case undefined:
      return compare(mode, show(result), "true");
    default:
      return [`${mode}: no way to judge ${matcher.case}`];
  }
}

const given = (testCase: Case, value: ExprValue | undefined): Value =>
  toValue(value, registry, hasStrongEnums(testCase) ? "strong" : "int");

function compare(what: string, actual: string, expected: string): string[] {
  return actual === expected ? [] : [`${what}: expected\n${indent(expected)}\ngot\n${indent(actual)}`];
}

const indent = (text: string): string => text.replaceAll(/^/gm, "    ");
const shown = (issues: readonly Issue[], text: string): string => displayIssues(issues, { name: "<input>", text });
