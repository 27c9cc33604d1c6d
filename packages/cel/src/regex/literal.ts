// The plain text in a pattern: whole patterns that are string comparisons, and texts every match begins or ends with. JavaScript's own
// string search is faster than any automaton.

import { concat, type Node, repeat } from "./syntax.ts";

export interface Shape {
  /** The pattern is tied to the beginning of the text, to its end. */
  readonly fromStart: boolean;
  readonly toEnd: boolean;
  /** Whether the pattern consists of anchors and `needle` alone. */
  readonly literal: boolean;
  /** A text that every match contains, or "". */
  readonly needle: string;
  /** At most so many code units of a match stand before `needle`; Infinity when there is no telling. */
  readonly lead: number;
  /** Text every match ends with, where the pattern is tied to the end. */
  readonly suffix: string;
}

/**
 * A smaller pattern that matches in the same strings. If only the existence of a match counts, `x*y` is the same as
 * `y`, and `xy+` the same as `xy`: repetition at the edges does not matter.
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
  const fromStart = start > 0;
  const toEnd = end < items.length;
  const suffix = toEnd ? textOf(items[end - 1]) : "";
  const parts = items.slice(start, end);
  const [only] = parts;
  const literal = only === undefined || (parts.length === 1 && textOf(only) !== "");
  return { fromStart, toEnd, literal, suffix, ...needleOf(parts) };
}

/** The first text that stands at a bounded distance from the start of a match, or else the longest there is. */
function needleOf(parts: readonly Node[]): { needle: string; lead: number } {
  let lead = 0;
  let needle = "";
  for (const part of parts) {
    const text = textOf(part);
    if (text !== "" && lead !== Infinity) return { needle: text, lead };
    if (text.length > needle.length) needle = text;
    lead += widthOf(part);
  }
  return { needle, lead: Infinity };
}

/**
 * The most code units a node takes. Infinity also if the node may match half a surrogate pair or a whole one: going back from a found text
 * by a number of code units must not land between the two.
 */
function widthOf(node: Node): number {
  switch (node.kind) {
    case "empty":
    case "assert":
      return 0;
    case "literal":
      return textOf(node).length || Infinity;
    case "set":
      return (node.ranges[node.ranges.length - 1] ?? 0) < 0xd800 ? 1 : Infinity;
    case "concat":
      return node.items.reduce((width, item) => width + widthOf(item), 0);
    case "alternate":
      return node.branches.reduce((width, branch) => Math.max(width, widthOf(branch)), 0);
    case "capture":
      return widthOf(node.item);
    case "repeat":
      return node.max === 0 ? 0 : node.max * widthOf(node.item);
  }
}

function asserts(node: Node | undefined, assertion: "text-begin" | "text-end"): boolean {
  return node?.kind === "assert" && node.assertion === assertion;
}

/** The text of a literal, "" for other nodes. A lone surrogate does not count: string search would find it inside a pair. */
function textOf(node: Node | undefined): string {
  if (node?.kind !== "literal" || node.codes.some((code) => code >= 0xd800 && code <= 0xdfff)) return "";
  let text = "";
  for (const code of node.codes) text += String.fromCodePoint(code);
  return text;
}
