// A new name for a symbol, everywhere it stands. An invalid name is refused with the reason.

import type { File } from "../document/file.ts";
import type { Known } from "../known.ts";
import type { TextEdit, TextRange } from "../text/range.ts";
import { occurrencesOf } from "./occurrences.ts";
import { type Referent, symbolAt } from "./symbol-at.ts";

/** The edits of a rename, or why it is not possible. */
export type Renamed = { readonly edits: ReadonlyMap<string, readonly TextEdit[]> } | { readonly problem: string };

/** The stretch that would be renamed, and its name; undefined where nothing can be. */
export function renameRange(
  workspace: Known,
  file: File,
  offset: number,
): { readonly range: TextRange; readonly name: string } | undefined {
  const symbol = symbolAt(workspace, file, offset);
  if (symbol === undefined || symbol.is === "kind" || symbol.is === "field") return undefined;
  const at = occurrencesOf(workspace, symbol).find(
    ({ uri, range }) => uri === file.uri && range.start <= offset && offset <= range.end,
  );
  return at && { range: withoutQuotes(file.text, at.range), name: symbol.name };
}

export function rename(workspace: Known, file: File, offset: number, name: string): Renamed {
  const symbol = symbolAt(workspace, file, offset);
  if (symbol === undefined || symbol.is === "kind" || symbol.is === "field")
    return { problem: "nothing to rename here" };
  const problem = nameProblem(symbol, name);
  if (problem !== undefined) return { problem };
  const edits = new Map<string, TextEdit[]>();
  for (const { uri, range } of occurrencesOf(workspace, symbol)) {
    const text = workspace.file(uri)?.text ?? "";
    const own = withoutQuotes(text, range);
    const isPlain = own.start === range.start && (symbol.is === "policy" || symbol.is === "params");
    const list = edits.get(uri) ?? [];
    list.push({ range: own, text: isPlain && needsQuotes(name) ? JSON.stringify(name) : name });
    edits.set(uri, list);
  }
  return edits.size === 0 ? { problem: "nothing to rename here" } : { edits };
}

const RESERVED =
  /^(?:as|break|const|continue|else|false|for|function|if|import|in|let|loop|null|package|namespace|return|true|var|void|while)$/;

function nameProblem(symbol: Referent, name: string): string | undefined {
  if (symbol.is === "variable" || symbol.is === "local") {
    if (!/^[A-Za-z_]\w*$/.test(name))
      return `"${name}" is not a CEL name: use letters, digits and _, not starting with a digit`;
    return RESERVED.test(name) ? `"${name}" is a reserved word of CEL` : undefined;
  }
  const isName = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/.test(name) && name.length <= 253;
  return isName ? undefined : `"${name}" is not a Kubernetes name: use lower case letters, digits, - and .`;
}

/** Whether YAML would read the name as something else. */
const needsQuotes = (name: string): boolean =>
  /^(?:[\d.]+(?:e\d+)?|0x[\da-f]+|true|false|yes|no|on|off|y|n|null)$/.test(name);

function withoutQuotes(text: string, { start, end }: TextRange): TextRange {
  return /^["']/.test(text[start] ?? "") && text[start] === text[end - 1]
    ? { start: start + 1, end: end - 1 }
    : { start, end };
}
