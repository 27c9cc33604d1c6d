// Every expression of the suites through the other forms a tree can take: the canonical cel.expr messages, read back by
// @bufbuild/cel-spec's own printer, and source text again.

import { type CheckedExpr, CheckedExprSchema } from "@bufbuild/cel-spec/cel/expr/checked_pb.js";
import { ParsedExprSchema } from "@bufbuild/cel-spec/cel/expr/syntax_pb.js";
import { KindAdorner, SemanticAdorner, toDebugString } from "@bufbuild/cel-spec/testdata/to-debug-string.js";
import { fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import {
  type Checked,
  checkedFromCanonical,
  checkedToCanonical,
  type Env,
  type Overload,
  parsedFromCanonical,
  parsedToCanonical,
  printChecked,
  unparse,
} from "./engine.ts";
import { completeFor, parseAlone, recordedFor } from "./environments.ts";
import { printParsed } from "./print-parsed.ts";
import { byGroup, type Case, suites } from "./suite.ts";

const groups = byGroup(Object.values(suites).flat());

/** Some expressions are nested deeper than the library reads by default. */
const DEEP = { recursionLimit: 1000 };

/** The cases of a group that a round trip changes; unchanged ones are left out. */
function differing(
  cases: readonly Case[],
  trip: (testCase: Case) => [expected: unknown, actual: unknown] | undefined,
): string {
  const lines: string[] = [];
  for (const testCase of cases) {
    const [expected, actual] = trip(testCase) ?? [];
    if (expected !== actual)
      lines.push(`${testCase.path}\n  ${testCase.test.original.expr}\nexpected\n${expected}\ngot\n${actual}`);
  }
  return lines.join("\n\n");
}

const sourceOf = ({ test: { original } }: Case): { name: string; text: string } => ({
  name: "<input>",
  text: original.expr,
});

test.each(groups)("%s as cel.expr.ParsedExpr", (_, cases) => {
  const trip = (testCase: Case): [unknown, unknown] | undefined => {
    const { ast } = parseAlone(sourceOf(testCase));
    if (ast === undefined) return undefined;
    const message = fromJson(ParsedExprSchema, parsedToCanonical(ast) as JsonValue, DEEP);
    const back = parsedFromCanonical(toJson(ParsedExprSchema, message) as object);
    const printed = toDebugString(message, KindAdorner.singleton);
    return [
      testCase.test.ast,
      printed === printParsed(back.expr) ? printed : `${printed}\nand back\n${printParsed(back.expr)}`,
    ];
  };
  expect(differing(cases, trip)).toBe("");
});

test.each(groups)("%s as cel.expr.CheckedExpr", (_, cases) => {
  const trip = (testCase: Case): [unknown, unknown] | undefined => {
    const env = recordedFor(testCase);
    const checked = checkedIn(env, testCase);
    if (checked === undefined) return undefined;
    const message = fromJson(CheckedExprSchema, checkedToCanonical(checked) as JsonValue, DEEP);
    if (message.expr === undefined) throw new Error("the message has no expression");
    // The printer writes an abstract type without parameters with empty parentheses.
    const printed = toDebugString(message.expr, new SemanticAdorner(message)).replaceAll(
      "optional_type()",
      "optional_type",
    );
    const back = printChecked(readBack(message, env));
    const expected = printChecked(checked);
    return [expected, printed === back ? printed : `${printed}\nand back\n${back}`];
  };
  expect(differing(cases, trip)).toBe("");
});

function checkedIn(env: Env, testCase: Case): Checked | undefined {
  const { ast } = env.parse(sourceOf(testCase));
  const checked = ast && env.check(ast);
  return checked?.issues.length === 0 ? checked : undefined;
}

function readBack(message: CheckedExpr, { declarations }: Env): Checked {
  const overloads = new Map<string, Overload>();
  for (const rows of declarations.functions.values()) for (const row of rows) overloads.set(row.id, row);
  return checkedFromCanonical(toJson(CheckedExprSchema, message) as object, {
    overload: (id) => overloads.get(id),
    provider: declarations.provider,
  });
}

test.each(groups)("%s unparsed and parsed again", (_, cases) => {
  const trip = (testCase: Case): [unknown, unknown] | undefined => {
    const env = completeFor(testCase, "reference");
    const { ast, issues } = env.parse(sourceOf(testCase));
    if (ast === undefined || issues.length > 0) return undefined;
    const text = unparse(ast);
    const again = env.parse(text).ast;
    return [printParsed(ast.expr), again === undefined ? `no parse of ${text}` : printParsed(again.expr)];
  };
  expect(differing(cases, trip)).toBe("");
});
