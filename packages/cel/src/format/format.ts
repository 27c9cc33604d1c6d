// Canonical layout of an expression (layout.ts has the rules). The result means the same: only white space, doubled parentheses and commas
// behind last elements change; literals keep their spelling and comments their places. Formatting it again changes nothing. Whether names,
// types and macros' arguments are right does not matter here.

import type { Issue } from "../ast/issue.ts";
import { DEFAULT_PARSE_LIMITS, type ParseOptions, parse } from "../parse/parse.ts";
import { print } from "./document.ts";
import { layOut } from "./layout.ts";
import { tidyTokens } from "./tokens.ts";

/** Options for the layout of an expression. */
export interface FormatOptions {
  /** Columns a line should not exceed: 80 by default. Parts that cannot be broken may. */
  readonly width?: number;
}

/** The formatted text without a final line break, or syntax errors. */
export type Formatted = { readonly text: string } | { readonly issues: readonly Issue[] };

/** All syntax there is; macros are calls like others. */
const SYNTAX: ParseOptions = {
  macros: [],
  limits: DEFAULT_PARSE_LIMITS,
  optionalSyntax: true,
  backtickIdentifiers: true,
};

/** Lays an expression out over lines. The meaning is unchanged; a text that cannot be parsed is an issue. */
export function formatExpression(text: string, options: FormatOptions = {}): Formatted {
  const { issues } = parse({ name: "<input>", text }, SYNTAX);
  if (issues.length > 0) return { issues };
  return { text: print(layOut(tidyTokens(text)), options.width ?? 80) };
}
