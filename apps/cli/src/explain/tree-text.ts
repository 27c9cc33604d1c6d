// An explained expression as an indented tree: each part with its value, the element that decided a loop, the places of data in the
// user's file, and what was never evaluated.

import type { DataPath, ExplainedNode } from "@celadon/cel/explain";
import type { Paint } from "../output/paint.ts";

export interface TreeOptions {
  readonly paint: Paint;
  /** `pod.yaml:14:14`, where data was written down. */
  placeOf(path: DataPath): string | undefined;
}

/** Lines without indentation of their own beyond the tree's. The root's text is the expression itself and not repeated. */
export function treeLines(root: ExplainedNode, options: TreeOptions): string[] {
  const lines: string[] = [];
  walk(root, 0, true, lines, options);
  return lines;
}

function walk(node: ExplainedNode, depth: number, isRoot: boolean, lines: string[], options: TreeOptions): void {
  const { paint, placeOf } = options;
  const indent = "  ".repeat(depth);
  if (!node.evaluated) {
    lines.push(`${indent}${paint.dim(`${oneLine(node.text)}   not evaluated`)}`);
    return;
  }
  if (!isRoot) lines.push(`${indent}${nodeText(node, paint)}${at(node.dataPath, options)}`);
  if (isWhole(node)) return;
  const deciding = node.loop?.deciding;
  const below = isRoot ? depth : depth + 1;
  if (deciding !== undefined) {
    const name = deciding.path ?? deciding.shown;
    const place = deciding.dataPath && placeOf(deciding.dataPath);
    lines.push(`${"  ".repeat(below)}${paint.bold(`decided by ${name}`)}${place ? paint.dim(`   ${place}`) : ""}`);
    const body = node.children.at(-1);
    if (body !== undefined) walk(body, below + 1, false, lines, options);
    return;
  }
  if (node.loop !== undefined) lines.push(`${"  ".repeat(below)}${paint.dim(rounds(node.loop.iterations))}`);
  for (const child of node.children) if (!isLiteral(child)) walk(child, below, false, lines, options);
}

/** What was read from the data is shown without the steps to it. */
function isWhole({ dataPath, loop }: ExplainedNode): boolean {
  return dataPath !== undefined && loop === undefined;
}

function rounds(count: number): string {
  return count === 1 ? "one element looked at" : `${count} elements looked at`;
}

function nodeText(node: ExplainedNode, paint: Paint): string {
  const { text, shown, error, children } = node;
  // The text of an error is told where it comes from.
  const passedOn = !isWhole(node) && children.some((child) => child.error === error);
  const value = error === undefined ? valueText(shown ?? "", paint) : paint.red(passedOn ? "error" : `error: ${error}`);
  return `${oneLine(text)} → ${value}`;
}

function valueText(shown: string, paint: Paint): string {
  if (shown === "true") return paint.green(shown);
  return shown === "false" ? paint.red(shown) : paint.cyan(shown);
}

function at(path: DataPath | undefined, { paint, placeOf }: TreeOptions): string {
  const place = path && placeOf(path);
  return place === undefined ? "" : paint.dim(`   ${place}`);
}

// A literal is its own value: nothing to tell.
function isLiteral({ children, dataPath, text, shown, loop }: ExplainedNode): boolean {
  if (children.length > 0 || dataPath !== undefined || loop !== undefined) return false;
  return text === shown || /^(?:[-\d'"brBR[{]|true$|false$|null$)/.test(text);
}

/** An expression laid out over lines, on one: no blanks where a bracket was broken open. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/([([{])\s*\n\s*/g, "$1")
    .replaceAll(/\s*\n\s*([)\]}])/g, "$1")
    .replaceAll(/\s*\n\s*/g, " ");
}
