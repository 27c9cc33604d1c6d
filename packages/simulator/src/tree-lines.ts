// An explained expression as lines that people read: each part with its value, the element that decided a loop, and what was never
// evaluated. What the lines look like is for those who show them.

import type { DataPath, ExplainedNode } from "@celadon/cel/explain";

/** A line of an explanation. */
export interface TreeLine {
  readonly depth: number;
  /** `part`: a part and its value. `deciding`: the element that decided. `rounds`: how many were checked. `unevaluated`: never reached. */
  readonly role: "part" | "deciding" | "rounds" | "unevaluated";
  /** The part as written, on one line; of `deciding` the path or value of the element; of `rounds` the whole sentence. */
  readonly text: string;
  /** The value as text. */
  readonly shown?: string;
  readonly error?: string;
  /** The error comes from a part below, where its text is shown. */
  readonly passedOn?: boolean;
  readonly dataPath?: DataPath;
  /** Offsets of the part in the expression's text. */
  readonly start: number;
  readonly end: number;
}

/** The lines below an expression, whose own text and value are not repeated. */
export function treeLines(root: ExplainedNode): readonly TreeLine[] {
  const lines: TreeLine[] = [];
  walk(root, 0, true, lines);
  return lines;
}

function walk(node: ExplainedNode, depth: number, isRoot: boolean, lines: TreeLine[]): void {
  const { start, end, loop } = node;
  if (!node.evaluated) {
    lines.push({ depth, role: "unevaluated", text: oneLine(node.text), start, end });
    return;
  }
  if (!isRoot) lines.push(partLine(node, depth));
  if (isWhole(node)) return;
  const deciding = loop?.deciding;
  const below = isRoot ? depth : depth + 1;
  if (deciding !== undefined) {
    const { path, shown, dataPath } = deciding;
    lines.push({ depth: below, role: "deciding", text: path ?? shown, ...(dataPath && { dataPath }), start, end });
    const body = node.children.at(-1);
    if (body !== undefined) walk(body, below + 1, false, lines);
    return;
  }
  if (loop !== undefined) lines.push({ depth: below, role: "rounds", text: rounds(loop.iterations), start, end });
  for (const child of node.children) if (!isLiteral(child)) walk(child, below, false, lines);
}

function partLine(node: ExplainedNode, depth: number): TreeLine {
  const { text, shown, error, children, dataPath, start, end } = node;
  const passedOn = error !== undefined && !isWhole(node) && children.some((child) => child.error === error);
  return {
    depth,
    role: "part",
    text: oneLine(text),
    ...(error === undefined ? { shown: shown ?? "" } : { error }),
    ...(passedOn && { passedOn }),
    ...(dataPath && { dataPath }),
    start,
    end,
  };
}

/** A value read from the data is shown without the steps to it. */
function isWhole({ dataPath, loop }: ExplainedNode): boolean {
  return dataPath !== undefined && loop === undefined;
}

function rounds(count: number): string {
  return count === 1 ? "one element evaluated" : `${count} elements evaluated`;
}

// A literal is its own value: nothing to tell.
function isLiteral({ children, dataPath, text, shown, loop }: ExplainedNode): boolean {
  if (children.length > 0 || dataPath !== undefined || loop !== undefined) return false;
  return text === shown || /^(?:[-\d'"brBR[{]|true$|false$|null$)/.test(text);
}

const OPEN = /[([{]/;
const CLOSED = /[)\]}]/;

/** An expression laid out over lines, on one: no blanks where a bracket was broken open. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, (blanks: string, at: number) => {
    if (!blanks.includes("\n")) return blanks;
    return OPEN.test(text.charAt(at - 1)) || CLOSED.test(text.charAt(at + blanks.length)) ? "" : " ";
  });
}
