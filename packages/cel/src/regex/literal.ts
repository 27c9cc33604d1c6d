// What a pattern says in plain text: whole patterns that are string comparisons, and texts every match begins or ends with.
// JavaScript's own string search is faster than any automaton.

import { concat, type Node, repeat } from "./syntax.ts";

export interface Shape {
  /** The pattern is tied to the beginning of the text, to its end. */
  readonly fromStart: boolean;
  readonly toEnd: boolean;
  /** Text that follows the start of every match, or the beginning of the text. */
  readonly prefix: string;
  /** Text before the end; found only for patterns tied to the end. */
  readonly suffix: string;
  /** Nothing but anchors and `prefix`. */
  readonly literal: boolean;
}

/**
 * A smaller pattern that matches in the same texts. Asked only whether a match exists, `x*y` says no more than `y`, and `xy+`
 * no more than `xy`: what may be repeated at the edges may as well not be.
 */
export function searchTree(tree: Node): Node {
  const items = flatten(tree);
  let start = 0;
  let end = items.length;
  while (start < end && isOptional(items[start] as Node)) start++;
  while (end > start && isOptional(items[end - 1] as Node)) end--;
  const kept = items.slice(start, end);
  if (kept.length > 0) {
    kept[0] = least(kept[0] as Node);
    kept.push(least(kept.pop() as Node));
  }
  return concat(kept);
}

/** Concatenated parts, groups opened. */
function flatten(node: Node): Node[] {
  if (node.kind === "capture") return flatten(node.item);
  return node.kind === "concat" ? node.items.flatMap(flatten) : node.kind === "empty" ? [] : [node];
}

function isOptional(node: Node): boolean {
  return node.kind === "repeat" && node.min === 0;
}

function least(node: Node): Node {
  if (node.kind !== "repeat" || node.min === node.max) return node;
  return node.min === 1 ? concat(flatten(node.item)) : repeat(node.item, node.min, node.min, true);
}

export function shapeOf(tree: Node): Shape {
  const items = flatten(tree);
  let start = 0;
  let end = items.length;
  while (start < end && asserts(items[start], "text-begin")) start++;
  while (end > start && asserts(items[end - 1], "text-end")) end--;
  const toEnd = end < items.length;
  return {
    fromStart: start > 0,
    toEnd,
    prefix: textOf(items[start]),
    suffix: toEnd ? textOf(items[end - 1]) : "",
    literal: end === start || (end === start + 1 && textOf(items[start]) !== ""),
  };
}

function asserts(node: Node | undefined, assertion: "text-begin" | "text-end"): boolean {
  return node?.kind === "assert" && node.assertion === assertion;
}

/** The text of a literal, "" where there is none. A lone surrogate is no text: string search would find it inside a pair. */
function textOf(node: Node | undefined): string {
  if (node?.kind !== "literal" || node.codes.some((code) => code >= 0xd800 && code <= 0xdfff)) return "";
  let text = "";
  for (const code of node.codes) text += String.fromCodePoint(code);
  return text;
}
