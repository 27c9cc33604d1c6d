// All words of the parsing stage. Issues that the reference also reports have its wording to the letter, because users compare.

import type { Issue } from "../ast/issue.ts";
import type { Span } from "../ast/source.ts";

function issue(code: string, message: string, span?: Span): Issue {
  return span === undefined ? { code, message, severity: "error" } : { code, message, span, severity: "error" };
}

// limits: without their own place

export const sourceTooLong = (size: number, limit: number): Issue =>
  issue("source_too_long", `expression code point size exceeds limit: size: ${size}, limit ${limit}`);
export const nestedTooDeeply = (limit: number): Issue =>
  issue("nested_too_deeply", `expression recursion limit exceeded: ${limit}`);
export const treeTooDeep = (): Issue => issue("nested_too_deeply", "max recursion depth exceeded");
export const recoverySkippedTooMuch = (limit: number): Issue =>
  issue("recovery_limit", `error recovery token lookahead limit exceeded: ${limit}`);
/** Ours: the reference counts no nodes. */
export const tooManyNodes = (limit: number): Issue =>
  issue("too_many_nodes", `expression node count exceeds limit: ${limit}`);
/** Ours too, but with a place. */
export const literalTooLarge = (span: Span | undefined, size: number, limit: number): Issue =>
  issue("literal_too_large", `literal has ${size} entries, limit ${limit}`, span);

// syntax

/** A syntax error; the words after the prefix are the reference's generated parser's. */
export const syntaxError = (span: Span, text: string): Issue => issue("syntax_error", `Syntax error: ${text}`, span);

export const unrecognisedText = (text: string): string => `token recognition error at: '${text}'`;
export const mismatchedInput = (text: string, expected: string): string =>
  `mismatched input ${quote(text)} expecting ${expected}`;
export const extraneousInput = (text: string, expected: string): string =>
  `extraneous input ${quote(text)} expecting ${expected}`;
export const missingToken = (text: string, expected: string): string => `missing ${expected} at ${quote(text)}`;
export const noViableAlternative = (text: string): string => {
  // one wording for a keyword in the place of a field's name
  const keyword = /^.(true|false|null)$/su.exec(text);
  return keyword === null
    ? `no viable alternative at input ${quote(text)}`
    : mismatchedInput(keyword[1]!, "IDENTIFIER");
};
export const tooManyErrors = (limit: number): string => `More than ${limit} syntax errors`;
export const tooManyRecoveries = (limit: number): string => `error recovery attempt limit exceeded: ${limit}`;

const quote = (text: string): string => `'${text.replace(/\t/g, "\\t").replace(/\n/g, "\\n").replace(/\r/g, "\\r")}'`;

// issues about names and tokens that the grammar accepts

export const reservedIdentifier = (span: Span, name: string): Issue =>
  issue("reserved_identifier", `reserved identifier: ${name}`, span);
export const invalidInt = (span: Span): Issue => issue("invalid_literal", "invalid int literal", span);
export const invalidUint = (span: Span): Issue => issue("invalid_literal", "invalid uint literal", span);
export const invalidDouble = (span: Span): Issue => issue("invalid_literal", "invalid double literal", span);
export const invalidText = (span: Span, problem: string): Issue => issue("invalid_literal", problem, span);
export const unsupportedBackticks = (span: Span): Issue => issue("unsupported_syntax", "unsupported syntax: '`'", span);
export const unsupportedName = (span: Span): Issue => issue("syntax_error", "unsupported ident kind", span);
export const unsupportedOptional = (span: Span, what: ".?" | "[?" | "?"): Issue =>
  issue("unsupported_syntax", `unsupported syntax '${what}'`, span);
export const missingTerm = (span: Span, operator: "&&" | "||"): Issue =>
  issue("syntax_error", `unexpected character, wanted '${operator}'`, span);

// macros

export const macroIssue = (message: string, span: Span): Issue => issue("invalid_macro_argument", message, span);
export const MACRO_WORDS = {
  has: "invalid argument to has() macro",
  simpleName: "argument must be a simple name",
  identifier: "argument is not an identifier",
  overwritesAccumulator: "iteration variable overwrites accumulator variable",
  duplicate: (name: string): string => `duplicate variable name: ${name}`,
  optional: (macro: string): string => `${macro}() variable name must be a simple identifier`,
} as const;
