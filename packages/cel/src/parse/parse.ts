// Text to tree. A correct text is read once, fast (parser.ts); any other is read again with all care (diagnose.ts), so that people get the
// reference's messages.

import { ACCUMULATOR, type Ast, type Expr, WRITABLE_ACCUMULATOR } from "../ast/expr.ts";
import type { Issue } from "../ast/issue.ts";
import type { Source } from "../ast/source.ts";
import { diagnose } from "./diagnose.ts";
import { nestedTooDeeply, sourceTooLong, tooManyNodes } from "./issues.ts";
import { type LanguageOptions, NEWEST_LANGUAGE } from "./language.ts";
import type { Macro } from "./macro.ts";
import { indexMacros } from "./macro-index.ts";
import { parseValid } from "./parser.ts";
import { TOO_MANY_NODES, TreeBuilder } from "./tree-builder.ts";

export interface ParseLimits {
  /** Code points of source text. */
  readonly sourceSize: number;
  /** Nesting of each grammar rule, and depth of the tree. */
  readonly recursion: number;
  /** Nodes, including those of macros. */
  readonly nodes: number;
  /** Syntax errors to report before parsing stops. */
  readonly errors: number;
  /** Attempts to recover from syntax errors before reading stops. */
  readonly recoveries: number;
  /** Tokens that one attempt may skip. */
  readonly skippedTokens: number;
}

export interface ParseOptions {
  readonly macros: readonly Macro[];
  readonly limits: ParseLimits;
  /** `a.?b`, `a[?i]`, `[?e]`, `{?k: v}`. */
  readonly optionalSyntax: boolean;
  /** a.`b-c` for fields whose names are no identifiers. */
  readonly backtickIdentifiers: boolean;
  /** The language of an older parser; the newest when absent. */
  readonly language?: LanguageOptions;
}

/** The result of parsing: a tree, or issues. */
export interface Parsed {
  /** Undefined when there are issues. */
  readonly ast: Ast | undefined;
  /** In the order they were found; `displayIssues` sorts them. */
  readonly issues: readonly Issue[];
}

export const DEFAULT_PARSE_LIMITS: ParseLimits = {
  sourceSize: 100_000,
  recursion: 250,
  nodes: 200_000,
  errors: 100,
  recoveries: 30,
  skippedTokens: 256,
};

export function parse(source: Source, options: ParseOptions): Parsed {
  const { text } = source;
  const { limits, optionalSyntax, backtickIdentifiers, language = NEWEST_LANGUAGE } = options;
  const accumulator = language.hiddenAccumulator ? ACCUMULATOR : WRITABLE_ACCUMULATOR;
  if (text.length > limits.sourceSize) {
    const size = countCodePoints(text);
    if (size > limits.sourceSize) return { ast: undefined, issues: [sourceTooLong(size, limits.sourceSize)] };
  }
  const macros = indexMacros(options.macros);
  try {
    const builder = new TreeBuilder(macros, limits.nodes, accumulator);
    const expr = parseValid(text, builder, {
      optionalSyntax,
      backtickIdentifiers,
      maxDepth: limits.recursion,
      language,
    });
    if (expr !== undefined) return { ast: astOf(expr, source, builder), issues: [] };
    const careful = new TreeBuilder(macros, limits.nodes, accumulator);
    const diagnosis = diagnose(text, careful, { optionalSyntax, backtickIdentifiers, limits, language });
    return { ast: diagnosis.expr && astOf(diagnosis.expr, source, careful), issues: diagnosis.issues };
  } catch (error) {
    if (error === TOO_MANY_NODES) return { ast: undefined, issues: [tooManyNodes(limits.nodes)] };
    // a recursion limit that exceeds the host's stack: the default needs less than half of Node's
    if (error instanceof RangeError) return { ast: undefined, issues: [nestedTooDeeply(limits.recursion)] };
    throw error;
  }
}

function astOf(expr: Expr, source: Source, builder: TreeBuilder): Ast {
  return { expr, source, spans: builder.spans, macroCalls: builder.macroCalls };
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
