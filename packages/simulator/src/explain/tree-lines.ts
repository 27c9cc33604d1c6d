// An explained expression as lines that people read: each part with its value, the element that decided a loop, and the parts that were
// never evaluated. The caller decides how the lines look.

import type { DataPath, ExplainedNode } from "@celadon/cel/explain";

/** A line of an explanation. */
export interface TreeLine {
  readonly depth: number;
  /**
   * `part`: a part and its value. `definition`: the expression of the variable in the line above. `deciding`: the element that decided.
   * `rounds`: how many were checked. `unevaluated`: never reached.
   */
  readonly role: "part" | "definition" | "deciding" | "rounds" | "unevaluated";
  /**
   * The part on one line, with `…` for long parts of it that have lines of their own; a definition as written; of `deciding` the path or
   * value of the element; of `rounds` the whole sentence.
   */
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

/** The expression of a variable, and the reason for its value. */
export interface OpenedVariable {
  readonly expression: string;
  readonly tree: ExplainedNode;
}

/** Answers with the variable that a part reads, where its own parts are to be shown below it. */
export type OpenVariable = (name: string, part: ExplainedNode) => OpenedVariable | undefined;

/** The lines below an expression, without its own text and value. */
export function treeLines(root: ExplainedNode, open: OpenVariable = () => undefined): readonly TreeLine[] {
  const walker = new Walker(open);
  walker.walk(root, 0, true);
  return walker.lines;
}

class Walker {
  readonly lines: TreeLine[] = [];
  readonly #open: OpenVariable;

  constructor(open: OpenVariable) {
    this.#open = open;
  }

  walk(node: ExplainedNode, depth: number, isRoot: boolean): void {
    const { start, end, loop } = node;
    if (!node.evaluated) {
      // The value of a constant is its text.
      if (isConstant(node.text)) return;
      this.lines.push({ depth, role: "unevaluated", text: beginning(node.text), start, end });
      return;
    }
    const below = isRoot ? depth : depth + 1;
    const name = loop === undefined ? variableName(node) : undefined;
    const opened = name === undefined ? undefined : this.#open(name, node);
    if (!isRoot) this.lines.push(partLine(node, depth, opened !== undefined));
    if (opened !== undefined) {
      const { tree, expression } = opened;
      for (const [i, line] of writtenLines(expression).entries())
        this.lines.push({ depth: below, role: "definition", text: `${i === 0 ? "= " : "  "}${line}`, start, end });
      this.walk(tree, below, true);
      return;
    }
    if (isWhole(node)) return;
    if (loop?.deciding !== undefined) {
      const { path, shown, dataPath } = loop.deciding;
      const place = dataPath && { dataPath };
      this.lines.push({ depth: below, role: "deciding", text: path ?? shown, ...place, start, end });
      const body = node.children.at(-1);
      if (body !== undefined) this.walk(body, below + 1, false);
      return;
    }
    const [range] = node.children;
    if (loop !== undefined && range?.error !== undefined) {
      this.walk(range, below, false);
      return;
    }
    if (loop !== undefined)
      this.lines.push({ depth: below, role: "rounds", text: rounds(loop.iterations), start, end });
    for (const child of node.children) if (!isLiteral(child)) this.walk(child, below, false);
  }
}

/** The name of the variable whose whole value is read. */
function variableName({ dataPath }: ExplainedNode): string | undefined {
  const [name, ...rest] = dataPath?.root === "variables" ? dataPath.path : [];
  return typeof name === "string" && rest.length === 0 ? name : undefined;
}

function partLine(node: ExplainedNode, depth: number, isOpened: boolean): TreeLine {
  const { shown, error, children, dataPath, start, end } = node;
  const passedOn =
    error !== undefined && (isOpened || (!isWhole(node) && children.some((child) => child.error === error)));
  return {
    depth,
    role: "part",
    text: abbreviated(node),
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

/** Longer parts are cut if lines below show the part that is cut out. */
const LONG_PART = 72;
const SHORT_CHILD = 40;

/** The text of a part. Long parts of it that have lines of their own are not repeated, so that the lines grow with the expression only. */
function abbreviated(node: ExplainedNode): string {
  const { text, start, end, children } = node;
  const whole = oneLine(text);
  if (whole.length <= LONG_PART) return whole;
  const cut = children
    .filter((child) => child.start >= start && child.end <= end && child.end - child.start > SHORT_CHILD)
    .sort((a, b) => b.start - a.start);
  let short = text;
  let before = text.length;
  for (const child of cut) {
    if (child.end - start > before) continue;
    short = `${short.slice(0, child.start - start)}…${short.slice(child.end - start)}`;
    before = child.start - start;
  }
  return oneLine(short);
}

/** Enough of a part to find it in the expression. */
function beginning(text: string): string {
  const whole = oneLine(text);
  return whole.length <= LONG_PART ? whole : `${whole.slice(0, LONG_PART)}…`;
}

/** Whether an expression reads nothing: no name is left without its strings. */
function isConstant(text: string): boolean {
  const rest = text.replaceAll(STRING_OR_COMMENT, "").replaceAll(/\b(?:true|false|null)\b|\d+(?:\.\d+)?[eu]?/gi, "");
  return !/\w/.test(rest);
}

const OPEN = /[([{]/;
const CLOSED = /[)\]}]/;

/** An expression laid out over lines, on one: without comments, which would hide the rest, and without blanks after a broken bracket. */
export function oneLine(expression: string): string {
  const text = withoutComments(expression).trim();
  return text.replaceAll(/\s+/g, (blanks: string, at: number) => {
    if (!blanks.includes("\n")) return blanks;
    return OPEN.test(text.charAt(at - 1)) || CLOSED.test(text.charAt(at + blanks.length)) ? "" : " ";
  });
}

/** Strings come first: what looks like a comment inside of one is none. */
const STRING_OR_COMMENT =
  /[bB]?[rR][bB]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n]*"|'[^'\n]*')|"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/[^\n]*/g;

function withoutComments(text: string): string {
  return text.includes("//") ? text.replaceAll(STRING_OR_COMMENT, (part) => (part.startsWith("//") ? "" : part)) : text;
}

/** An expression as its author wrote it, line by line, without the indentation that all lines share. */
export function writtenLines(expression: string): readonly string[] {
  const lines = expression.trimEnd().split("\n");
  while (lines[0]?.trim() === "") lines.shift();
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents.slice(0, LINES_COMPARED));
  return lines.map((line) => line.slice(Number.isFinite(indent) ? indent : 0).trimEnd());
}

const LINES_COMPARED = 1000;
