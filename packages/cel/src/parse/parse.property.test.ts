// Properties: the two parsers agree, text and tree are each other's inverse, and nothing makes the parser throw.

import fc from "fast-check";
import { expect, test } from "vitest";
import { displayIssues } from "../ast/display.ts";
import type { Ast, Expr } from "../ast/expr.ts";
import { positionOf } from "../ast/position.ts";
import { print } from "../ast/print.testing.ts";
import { unparse } from "../ast/unparse.ts";
import { visit } from "../ast/visit.ts";
import { diagnose } from "./diagnose.ts";
import { indexMacros } from "./macro-index.ts";
import { parseValid } from "./parser.ts";
import { EVERYTHING, parseText, treeOf } from "./parsing.testing.ts";
import { damaged, expression } from "./random-expression.testing.ts";
import { TreeBuilder } from "./tree-builder.ts";

const newBuilder = (): TreeBuilder => new TreeBuilder(indexMacros(EVERYTHING.macros), EVERYTHING.limits.nodes);

/** Both parsers on one text: trees, numbers, spans and macro calls. */
function agree(text: string): void {
  const fast = newBuilder();
  const careful = newBuilder();
  const tree = parseValid(text, fast, { ...EVERYTHING, maxDepth: EVERYTHING.limits.recursion });
  const { expr, issues } = diagnose(text, careful, EVERYTHING);
  if (tree === undefined) {
    // the fast parser may leave a valid text to the other: reserved words in a message's name
    if (expr !== undefined) expect(text).toMatch(/\b(if|namespace)\b/);
    return;
  }
  expect(issues).toEqual([]);
  expect(expr).toEqual(tree);
  expect([...careful.spans]).toEqual([...fast.spans]);
  expect([...careful.macroCalls]).toEqual([...fast.macroCalls]);
}

function allWithin(ast: Ast, text: string): void {
  const check = (expr: Expr): undefined => {
    const span = ast.spans.get(expr.id);
    expect(span).toBeDefined();
    const { start, end, at } = span!;
    expect(0 <= start && start <= at && at < end && end <= text.length).toBe(true);
    return undefined;
  };
  visit(ast.expr, { enter: check });
}

test("valid expressions: both parsers agree, every node has a place", () => {
  fc.assert(
    fc.property(expression, (text) => {
      agree(text);
      allWithin(treeOf(text), text);
    }),
    { numRuns: 400 },
  );
});

test("unparsed text parses to the same tree, and is its own unparsing", () => {
  fc.assert(
    fc.property(expression, (text) => {
      const ast = treeOf(text);
      const written = unparse(ast);
      const again = treeOf(written);
      expect(print(again.expr)).toBe(print(ast.expr));
      expect(unparse(again)).toBe(written);
    }),
    { numRuns: 400 },
  );
});

function survives(text: string): void {
  const source = { name: "<input>", text };
  const { ast, issues } = parseText(text);
  expect(ast === undefined).toBe(issues.length > 0);
  displayIssues(issues, source);
  for (const { span } of issues) {
    if (span === undefined) continue;
    expect(span.at >= -1 && span.at <= text.length && span.start <= span.end && span.end <= text.length).toBe(true);
    positionOf(source, span.at);
  }
}

test("damaged expressions: both parsers agree, issues are within the text", () => {
  fc.assert(
    fc.property(damaged, (text) => {
      survives(text);
      agree(text);
    }),
    { numRuns: 600 },
  );
});

test("any text at all", () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.string({ maxLength: 60 }),
  );
  fc.assert(fc.property(anything, survives), { numRuns: 600 });
});
