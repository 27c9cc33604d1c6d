// For tests of this package: parsing with everything on.

import { displayIssues } from "../ast/display.ts";
import type { Ast } from "../ast/expr.ts";
import { type LanguageOptions, NEWEST_LANGUAGE } from "./language.ts";
import { EXISTS_ONE_ALIAS, STANDARD_MACROS } from "./macros.ts";
import { OPTIONAL_MACROS } from "./optional-macros.ts";
import { DEFAULT_PARSE_LIMITS, type Parsed, type ParseOptions, parse } from "./parse.ts";
import { TWO_VARIABLE_MACROS } from "./two-variable-macros.ts";

export const EVERYTHING: ParseOptions & { readonly language: LanguageOptions } = {
  macros: [...STANDARD_MACROS, EXISTS_ONE_ALIAS, ...OPTIONAL_MACROS, ...TWO_VARIABLE_MACROS],
  limits: DEFAULT_PARSE_LIMITS,
  optionalSyntax: true,
  backtickIdentifiers: true,
  language: NEWEST_LANGUAGE,
};

/** The options with which Kubernetes configures the reference: no backticks, no `existsOne` with one variable. */
export const KUBERNETES: ParseOptions = {
  ...EVERYTHING,
  macros: [...STANDARD_MACROS, ...OPTIONAL_MACROS, ...TWO_VARIABLE_MACROS],
  backtickIdentifiers: false,
};

export function parseText(text: string, options: ParseOptions = EVERYTHING): Parsed {
  return parse({ name: "<input>", text }, options);
}

/** The tree of a text that must be valid. */
export function treeOf(text: string, options: ParseOptions = EVERYTHING): Ast {
  const { ast, issues } = parseText(text, options);
  if (ast === undefined) throw new Error(displayIssues(issues, { name: "<input>", text }));
  return ast;
}

/** The issues of a text as people see them. */
export function errorsOf(text: string, options: ParseOptions = EVERYTHING): string {
  return displayIssues(parseText(text, options).issues, { name: "<input>", text });
}
