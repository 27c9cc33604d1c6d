// Colours of expressions, by the meaning of a name: a variable, a field, a function, an element of a loop. Text outside expressions has no
// tokens, so that YAML keeps its own colours. A token stands on one line: text over several lines is several tokens.

import type { File } from "../document/file.ts";
import type { ScalarText } from "../document/scalar-text.ts";
import { localAt, localNames } from "../expression/bindings.ts";
import { expressionsOf, type FileExpression } from "../expression/expressions-of.ts";
import { ExpressionText } from "../expression/written.ts";
import type { TextRange } from "../text/range.ts";

/** The protocol's standard names. */
export const TOKEN_TYPES = [
  "variable",
  "parameter",
  "property",
  "function",
  "method",
  "macro",
  "keyword",
  "number",
  "string",
  "comment",
  "operator",
  "type",
] as const;
/** The type of a token, for its colour. */
export type TokenType = (typeof TOKEN_TYPES)[number];

/** A token, for its colour. */
export interface ColouredToken extends TextRange {
  readonly type: TokenType;
}

/** In the order of the file; within a stretch where one is given. */
export function colouredTokens(file: File, within?: TextRange): ColouredToken[] {
  const found = expressionsOf(file)
    .filter(
      ({ scalar }) => within === undefined || (scalar.range.start < within.end && within.start < scalar.range.end),
    )
    .flatMap((expression) => expressionTokens(file, expression));
  return found.sort((a, b) => a.start - b.start).filter((token, i, all) => i === 0 || token.start >= all[i - 1]!.end);
}

function expressionTokens(file: File, { scalar }: FileExpression): ColouredToken[] {
  const written = new ExpressionText(scalar.text);
  const names = localNames(written);
  return written.tokens.flatMap((token, i) => {
    const type = typeOf(written, i, (at) => localAt(written, names, at) !== undefined);
    if (type === undefined) return [];
    const start = scalar.toSource(token.start);
    return linesOf(file, start, Math.max(start, endOf(file, scalar, token.end))).map((range) => ({ ...range, type }));
  });
}

/** Behind the last unit: an escape or a doubled quote is written with several characters, and the next unit may stand on another line. */
function endOf({ text }: File, { toSource }: ScalarText, end: number): number {
  const [last, next] = [toSource(end - 1), toSource(end)];
  return /[\r\n]/.test(text.slice(last, next)) ? last + 1 : Math.max(last + 1, next);
}

const MACROS: ReadonlySet<string> = new Set([
  "has",
  "all",
  "exists",
  "exists_one",
  "existsOne",
  "map",
  "filter",
  "bind",
  "optMap",
  "optFlatMap",
  "sortBy",
  "transformList",
  "transformMap",
  "transformMapEntry",
]);

function typeOf(written: ExpressionText, i: number, isLocal: (token: number) => boolean): TokenType | undefined {
  const token = written.tokens[i]!;
  switch (token.is) {
    case "keyword":
      return "keyword";
    case "number":
      return "number";
    case "text":
      return "string";
    case "comment":
      return "comment";
    case "sign":
      return /^[=!<>&|+\-*/%?:]/.test(written.textOf(token)) ? "operator" : undefined;
    case "invalid":
      return undefined;
    case "name": {
      const name = written.textOf(token);
      const isMember = written.is(i - 1, ".") || (written.is(i - 1, "?") && written.is(i - 2, "."));
      if (written.is(i + 1, "(")) return MACROS.has(name) ? "macro" : isMember ? "method" : "function";
      if (isMember) return "property";
      if (written.is(i + 1, "{")) return "type";
      return isLocal(i) ? "parameter" : "variable";
    }
  }
}

/** A stretch line by line, without the indentation of a block. */
function linesOf({ source }: File, start: number, end: number): TextRange[] {
  const first = source.lineAt(start);
  const last = source.lineAt(Math.max(start, end - 1));
  if (first === last) return [{ start, end }];
  const ranges: TextRange[] = [];
  for (let line = first; line <= last; line++) {
    const from = line === first ? start : source.lineStart(line) + (/^ */.exec(source.lineText(line))?.[0].length ?? 0);
    const to = line === last ? end : source.lineEnd(line);
    if (to > from) ranges.push({ start: from, end: to });
  }
  return ranges;
}
