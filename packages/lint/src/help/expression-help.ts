// Advice for a wrong expression, as far as the expression itself shows it: words of other languages, functions with other arguments, fields
// and functions with similar names. Does not depend on the resource that contains the expression.

import { nearestName } from "@celadon/base";
import { isError } from "@celadon/cel";
import { compileRegex } from "@celadon/cel/regex";
import type { ExpressionIssue } from "@celadon/kube/errors";
import type { Vocabulary } from "./vocabulary.ts";

/** An issue and the text it is about. */
export interface HelpQuestion {
  readonly issue: ExpressionIssue;
  readonly text: string;
  /** Names that may stand alone: `object`, `self`. */
  readonly names: readonly string[];
  /** The type that the expression must have; a bool when absent. */
  readonly wanted?: WantedResult;
}

export type WantedResult = "bool" | "string" | "Object" | "list(JSONPatch)";

/** Suggests a replacement for a known mistake in an expression; undefined when there is no advice. */
export function expressionHelp(question: HelpQuestion, vocabulary: Vocabulary): string | undefined {
  const { issue, text, names, wanted = "bool" } = question;
  const { code, name = "", known = [], kinds = [], span } = issue;
  const rest = text.slice(Math.max(0, span?.at ?? 0));
  switch (code) {
    case "undeclared_reference": {
      const isCall = rest.startsWith("(");
      return foreignWord(name, isCall) ?? guessed(name, isCall ? vocabulary.callable : names);
    }
    case "undefined_field":
      return guessed(name, known);
    case "no_matching_overload":
      return overloadHelp(name, kinds);
    case "no_field_selection":
      return selectionHelp(kinds[0]);
    case "type_mismatch":
      return name === DECISION ? "call allowed() on the decision: check(…).allowed()" : undefined;
    case "wrong_result_type":
      return resultHelp(kinds[0], wanted);
    case "invalid_matches":
      return span && regexHelp(text.slice(span.start, span.end), vocabulary);
    case "syntax_error":
      return syntaxHelp(issue, text);
    default:
      return undefined;
  }
}

export function guessed(name: string, known: readonly string[]): string | undefined {
  // The shortest of those that begin with it: `al` is meant as `all`, not as `allowed`.
  const shortestFirst = [...known].sort((a, b) => a.length - b.length);
  const guess = nearestName(name, shortestFirst);
  return guess === undefined || guess === name ? undefined : `did you mean "${guess}"?`;
}

/** Functions and constants people know from elsewhere, and what CEL calls them. */
const FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ...["len", "length", "count"].map((name) => [name, "use size(): size(list), or list.size()"] as const),
  ...["toString", "str"].map((name) => [name, "use string(value)"] as const),
  ...["parseInt", "toInt"].map((name) => [name, "use int(value)"] as const),
  ...["any", "some"].map((name) => [name, "use exists(): list.exists(e, condition)"] as const),
  ["every", "use all(): list.all(e, condition)"],
  ...["hasKey", "containsKey", "has_key", "haskey"].map((name) => [name, 'write "key" in map'] as const),
  ["includes", 'use "in" for lists and map keys, contains() for strings'],
  ...["toLowerCase", "toLower", "lower"].map((name) => [name, "use lowerAscii()"] as const),
  ...["toUpperCase", "toUpper", "upper"].map((name) => [name, "use upperAscii()"] as const),
]);
const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ...["nil", "None", "undefined"].map((name) => [name, "write null"] as const),
  ...["True", "False"].map((name) => [name, `write ${name.toLowerCase()}`] as const),
]);

const foreignWord = (name: string, isCall: boolean): string | undefined => (isCall ? FUNCTIONS : CONSTANTS).get(name);

/** The type of the result of an authorizer's check. */
const DECISION = "kubernetes.authorization.Decision";

function selectionHelp(kind: string | undefined): string | undefined {
  if (kind === "list") return "a list has no fields; check its elements with all(e, …) or exists(e, …)";
  if (kind === "string") return "a string has no fields; in map.all(k, …), k is a key and map[k] its value";
  return undefined;
}

const ARITHMETIC = /^_[-+*/%]_$/;
const COMPARISON = /^_[<>]=?_$/;

function overloadHelp(name: string, kinds: readonly string[]): string | undefined {
  const [first, second] = kinds;
  if (name === "contains" && first === "map") return 'contains() is for strings; to test for a key, write "key" in map';
  if (name === "contains" && first === "list") return "contains() is for strings; write value in list";
  if (name === "@in" && second === "string") return '"in" is for lists and map keys; write string.contains(part)';
  if (name === "_[_]" && first === "list" && second === "string")
    return "lists are indexed by number; find an element with exists(e, e.name == …) or filter(e, …)";
  if (name === "_+_" && kinds.includes("string")) return "convert the other operand with string(…)";
  if ((ARITHMETIC.test(name) || COMPARISON.test(name)) && kinds.includes("string"))
    return "convert the string first with int(…), double(…) or quantity(…)";
  if ((ARITHMETIC.test(name) || name === "_==_") && first !== second && isNumber(first) && isNumber(second))
    return "numbers of different types cannot be mixed; convert one with int(…), uint(…) or double(…)";
  return undefined;
}

const isNumber = (kind: string | undefined): boolean => kind === "int" || kind === "uint" || kind === "double";

function resultHelp(kind: string | undefined, wanted: WantedResult): string | undefined {
  switch (wanted) {
    case "string":
      return "convert it with string(…)";
    case "Object":
      return "start at the root of the object: Object{spec: Object.spec{…}}";
    case "list(JSONPatch)":
      return 'write a list of operations: [JSONPatch{op: "add", path: "/…", value: …}]';
    case "bool":
      return kind === "dyn"
        ? "its type is only known at run time; write a comparison (… == true if it is a boolean)"
        : "write a comparison";
  }
}

/** The pattern as it is written, and its error. */
function regexHelp(written: string, { env }: Vocabulary): string | undefined {
  const expr = env.parse({ name: "<input>", text: written }).ast?.expr;
  if (expr?.kind !== "literal" || typeof expr.value !== "string") return undefined;
  const compiled = compileRegex(expr.value);
  return isError(compiled) ? `the pattern is not a valid RE2 regular expression: ${compiled.message}` : undefined;
}

// biome-ignore format: one mistake per line: what stands before the place of the error, what follows it, and what to write
const SYNTAX: readonly (readonly [RegExp, RegExp, string])[] = [
  [/!=$/,         /^=/,             "compare with !="],
  [/<$/,          /^>/,             "compare with !="],
  [/\bnot\s+$/i,  /^/,              "write !"],
  [/$/,           /^=</,            "write <="],
  [/$/,           /^=>/,            "write >="],
  [/$/,           /^=[^=]/,         "compare with =="],
  [/$/,           /^and\b/i,        "write &&"],
  [/$/,           /^or\b/i,         "write ||"],
  [/$/,           /^\$/,            "variables are written without $, as variables.NAME or object"],
  [/$/,           /^[&|](?![&|])/,  "write && or ||"],
];

/** Suggests a replacement for syntax of other languages. */
export function syntaxHelp({ span }: ExpressionIssue, text: string): string | undefined {
  const at = Math.max(0, span?.at ?? 0);
  const letter = WRONG_ESCAPE.exec(text)?.[2];
  if (letter !== undefined)
    return `a string has no \\${letter}: write \\\\${letter}, or a raw string as r'\\${letter}'`;
  if (UNCLOSED.test(text.slice(at))) return "this string has no closing quote";
  const [before, rest] = [text.slice(Math.max(0, at - LOOK_BACK), at), text.slice(at)];
  return SYNTAX.find(([left, right]) => left.test(before) && right.test(rest))?.[2];
}

/** A string, not a raw one, with a backslash before a character that needs none, as in patterns. */
const WRONG_ESCAPE = /(?<![\w"'])(["'])(?:(?!\1)[^\\\n]|\\[abfnrtvuUxX0-7"'`?\\])*\\([^abfnrtvuUxX0-7"'`?\\\s])/;

/** A quote that no other one follows in its line. */
const UNCLOSED = /^(["'])(?!\1)(?:(?!\1)[^\\\n]|\\.)*(?:\n|$)/;

/** Longer than any word or operator of the table with a few blanks. */
const LOOK_BACK = 16;
