// Properties: formatting keeps the tree and all comments, and formatting the result changes nothing. Over random expressions with random
// white space and comments between their tokens, over all expressions recorded for other tests, and over those of real-world policies where
// the corpus is present.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CORPUS, everyNth, hasCorpus } from "../../../../conformance/src/corpus/corpus-directory.ts";
import { print } from "../ast/print.testing.ts";
import { standardLibrary } from "../lib/index.ts";
import { Lexer } from "../parse/lexer.ts";
import { EVERYTHING, parseText } from "../parse/parsing.testing.ts";
import { expression } from "../parse/random-expression.testing.ts";
import { EOF } from "../parse/token.ts";
import { expressions } from "../run/random-expression.testing.ts";
import { BOOL, DYN, INT, listOf, mapOf, STRING } from "../value/type.ts";
import { formatExpression } from "./format.ts";

const PLAIN = { ...EVERYTHING, macros: [] };

/** The tree without its macros expanded, on one line. */
function treeText(text: string): string | undefined {
  const { ast } = parseText(text, PLAIN);
  return ast && print(ast.expr);
}

function commentsOf(text: string): string[] {
  const found: string[] = [];
  const lexer = new Lexer(text);
  for (let kind = -1; kind !== EOF; ) {
    const from = lexer.end;
    kind = lexer.next();
    for (const [comment] of text.slice(from, lexer.start).matchAll(/\/\/.*/g)) found.push(comment.trimEnd());
  }
  return found;
}

/** False if the text is no expression. */
function holds(text: string, width: number): boolean {
  const result = formatExpression(text, { width });
  const tree = treeText(text);
  if ("issues" in result) {
    expect(tree).toBeUndefined();
    return false;
  }
  expect(treeText(result.text)).toBe(tree);
  expect(commentsOf(result.text)).toEqual(commentsOf(text));
  expect(formatExpression(result.text, { width })).toEqual(result);
  expect(withoutStrings(result.text)).not.toMatch(/[ \t\r]$/m);
  return true;
}

const withoutStrings = (text: string): string => text.replace(/("""|''')[\s\S]*?\1/g, "''");

const width = fc.constantFrom(1, 20, 40, 80, 200);
// biome-ignore format: what may stand between two tokens
const gap = fc.constantFrom(
  "", "", "", " ", "  ", "\n", "\n\n", "\r\n", "\t", " // c\n", "\n// own\n", "\n\n  // one\n  // two \n\n", " // x\r\n\r\n",
);

/** The same tokens with something else between them. */
function respaced(text: string, gaps: readonly string[]): string {
  const lexer = new Lexer(text);
  let made = gaps[0]!;
  for (let i = 1; lexer.next() !== EOF; i++) {
    // a space keeps words and signs apart that were
    made += `${text.slice(lexer.start, lexer.end)} ${gaps[i % gaps.length]!}`;
  }
  return made;
}

test("random expressions", () => {
  fc.assert(
    fc.property(expression, width, (text, columns) => holds(text, columns)),
    { numRuns: 200 },
  );
});

test("random white space and comments", () => {
  fc.assert(
    fc.property(expression, fc.array(gap, { minLength: 1, maxLength: 30 }), width, (text, gaps, columns) =>
      holds(respaced(text, gaps), columns),
    ),
    { numRuns: 500 },
  );
});

test("random expressions of the standard library", () => {
  const typed = expressions(
    {
      rows: standardLibrary.overloads,
      variables: { b: BOOL, i: INT, s: STRING, d: DYN, li: listOf(INT), m: mapOf(STRING, DYN) },
      macros: { optional: true, twoVariables: true, bind: true, math: true, sortBy: true },
    },
    true,
  );
  fc.assert(
    fc.property(typed(BOOL, 4), width, (text, columns) => holds(text, columns)),
    { numRuns: 200 },
  );
});

// This expression was once not stable: a later chain of calls decides how much room an earlier part has.
test("a map's key before calls that break", () => {
  const text = `{"" == "": "".all(k, v, "  ".all(k, v, " ") && "  " && null).all(k, v, null - 1e300 - null)}`;
  for (let columns = 1; columns < 100; columns++) expect(holds(text, columns)).toBe(true);
});

const here = dirname(fileURLToPath(import.meta.url));
const linesOf = (file: string): { expr?: string }[] =>
  readFileSync(join(here, file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((text) => JSON.parse(text));

// biome-ignore format: one file per line
const recorded = [
  { file: "../parse/testdata/recovery.jsonl",            valid: 0 },
  { file: "../parse/testdata/syntax-error.jsonl",        valid: 0 },
  { file: "../check/testdata/types.jsonl",               valid: 0.9 },
  { file: "../check/testdata/errors.jsonl",              valid: 0.9 },
  { file: "../estimate/testdata/estimates.jsonl",        valid: 0.9 },
  { file: "../../../../fuzz/testdata/expressions.jsonl", valid: 0.9 },
];
describe.each(recorded)("$file", ({ file, valid }) => {
  const texts = [...new Set(linesOf(file).flatMap(({ expr }) => (expr === undefined ? [] : [expr])))];
  test.each([20, 80])("width %d", (columns) => {
    expect(texts.filter((text) => holds(text, columns)).length / texts.length).toBeGreaterThanOrEqual(valid);
  });
});

const corpus: { expression: string }[] = hasCorpus
  ? everyNth(JSON.parse(readFileSync(join(CORPUS, "expressions.json"), "utf8")), 4)
  : [];

describe.skipIf(!hasCorpus)("expressions of real-world policies", () => {
  test.each([40, 80, 120])("width %d", (columns) => {
    const refused = corpus.filter(({ expression: text }) => !holds(text, columns));
    expect(refused.length / corpus.length).toBeLessThan(0.01);
  });
});
