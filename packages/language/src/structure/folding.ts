// Finds the ranges that can be folded: documents of a file, expressions on several lines, brackets inside them. Other YAML is for other
// servers.

import type { File } from "../document/file.ts";
import { expressionsOf } from "../expression/expressions-of.ts";
import { ExpressionText } from "../expression/written.ts";
import type { TextRange } from "../text/range.ts";

/** Each over several lines. */
export function foldingRanges(file: File): TextRange[] {
  const { source } = file;
  const parts =
    file.parts.length > 1
      ? file.parts.map(({ part, start }) => ({ start, end: start + part.text.trimEnd().length }))
      : [];
  const blocks = expressionsOf(file).flatMap(({ scalar }) => {
    const end = scalar.range.start + source.text.slice(scalar.range.start, scalar.range.end).trimEnd().length;
    return [{ start: scalar.range.start, end }, ...brackets(scalar.text, (at) => scalar.toSource(at))];
  });
  return [...parts, ...blocks].filter(({ start, end }) => source.lineAt(start) < source.lineAt(end));
}

function brackets(text: string, toSource: (offset: number) => number): TextRange[] {
  if (!text.includes("\n")) return [];
  const written = new ExpressionText(text);
  const open: number[] = [];
  const found: TextRange[] = [];
  for (const token of written.tokens) {
    const sign = token.is === "sign" ? written.textOf(token) : "";
    if (/^[([{]$/.test(sign)) open.push(token.start);
    else if (/^[)\]}]$/.test(sign)) {
      const start = open.pop();
      if (start !== undefined) found.push({ start: toSource(start), end: toSource(token.end) });
    }
  }
  return found;
}
