// `# celadon: ignore CODE reason` in YAML: indentation tells the lines it covers. Behind a line it covers what that line begins; on a
// line of its own, what the next line begins; above the first line of a document, the document.

import type { SourceText } from "./source-text.ts";

/** A comment that suppresses findings. */
export interface SuppressionComment {
  readonly file: string;
  /** Where the comment is. */
  readonly line: number;
  readonly column: number;
  readonly code: string;
  /** Why; empty if the comment does not say. */
  readonly reason: string;
  /** The lines that it covers. */
  readonly from: number;
  readonly to: number;
}

const MARK = "celadon: ignore";
const COMMENT = /^#\s*celadon:\s*ignore(?:\s+(\S+)(?:\s+(.*?))?)?\s*$/;

export function suppressionComments(source: SourceText): readonly SuppressionComment[] {
  if (!source.text.includes(MARK)) return [];
  const lines = source.text.split("\n").map((line) => line.replace(/\r$/, ""));
  const content = contentOf(lines);
  const found: SuppressionComment[] = [];
  for (const [i, line] of lines.entries()) {
    const at = content[i] === "text" ? -1 : commentAt(line);
    const comment = at === -1 ? null : COMMENT.exec(line.slice(at));
    if (comment === null) continue;
    const isOwnLine = line.slice(0, at).trim() === "";
    const first = isOwnLine ? nextContent(content, i + 1) : i;
    const [from, to] =
      isOwnLine && beginsDocument(content, i) ? documentAt(content, i) : extentOf(lines, content, first);
    const codes = (comment[1] ?? "").split(",").filter((code) => code !== "");
    for (const code of codes.length === 0 ? [""] : codes) {
      found.push({
        file: source.file,
        line: source.lineAt(i + 1),
        column: at + 1,
        code,
        reason: comment[2] ?? "",
        from: source.lineAt(from + 1),
        to: source.lineAt(to + 1),
      });
    }
  }
  return found;
}

/** Per line: nothing or a comment, the marker of a document, YAML, or the text of a block scalar. */
type Content = "blank" | "marker" | "yaml" | "text";

const BLOCK = /(?:^|[\s:-])[|>][+-]?[1-9]?[+-]?\s*(?:\s#.*)?$/;

function contentOf(lines: readonly string[]): readonly Content[] {
  let block = -1;
  return lines.map((line): Content => {
    const indent = indentOf(line);
    if (block >= 0 && (line.trim() === "" || indent > block)) return "text";
    block = -1;
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(line)) return "marker";
    if (line.trim() === "" || line.trimStart().startsWith("#")) return "blank";
    if (BLOCK.test(line)) block = indent;
    return "yaml";
  });
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The beginning of the comment of a line, outside quotes; -1 without one. */
function commentAt(line: string): number {
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const character = line[i]!;
    if (quote !== "") {
      if (character === "\\" && quote === '"') i++;
      else if (character === quote) quote = "";
    } else if ((character === '"' || character === "'") && /[\s:,[{-]|^$/.test(line[i - 1] ?? "")) quote = character;
    else if (character === "#" && (i === 0 || /\s/.test(line[i - 1]!))) return i;
  }
  return -1;
}

function nextContent(content: readonly Content[], from: number): number {
  let i = from;
  while (i < content.length && content[i] === "blank") i++;
  return i;
}

/** Whether nothing but comments is before a line in its document. */
function beginsDocument(content: readonly Content[], line: number): boolean {
  for (let i = line - 1; i >= 0 && content[i] !== "marker"; i--) if (content[i] !== "blank") return false;
  return true;
}

function documentAt(content: readonly Content[], line: number): readonly [number, number] {
  let to = line;
  while (to + 1 < content.length && content[to + 1] !== "marker") to++;
  return [line, to];
}

/** The block that a line begins: the lines that are further in, and the list of a key at the key's own indentation. */
function extentOf(lines: readonly string[], content: readonly Content[], first: number): readonly [number, number] {
  if (first >= lines.length || content[first] === "marker") return [first, first];
  const indent = indentOf(lines[first]!);
  const ownsList = !lines[first]!.trimStart().startsWith("- ");
  let to = first;
  for (let i = first + 1; i < lines.length && content[i] !== "marker"; i++) {
    if (content[i] === "blank") continue;
    const line = lines[i]!;
    const isItem = ownsList && indentOf(line) === indent && /^-(?:\s|$)/.test(line.trimStart());
    if (content[i] !== "text" && indentOf(line) <= indent && !isItem) break;
    to = i;
  }
  return [first, to];
}
