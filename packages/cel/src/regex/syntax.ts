// The tree of a pattern. Flags are gone from it: case folding is in the character sets, (?s) and (?m) chose the node. Every node knows its
// size, so that limits are checked before anything is unrolled.

import { clean, type Ranges } from "./ranges.ts";

export type Assertion = "text-begin" | "text-end" | "line-begin" | "line-end" | "word-boundary" | "no-word-boundary";

interface Measured {
  /** Instructions this compiles to, counted repetitions unrolled. */
  readonly size: number;
  /** Levels of the tree below and including this node. */
  readonly height: number;
}

/** A part of a regular expression. */
export type Node = Measured &
  (
    | { readonly kind: "empty" }
    | { readonly kind: "literal"; readonly codes: readonly number[] }
    | { readonly kind: "set"; readonly ranges: Ranges }
    | { readonly kind: "assert"; readonly assertion: Assertion }
    | { readonly kind: "concat"; readonly items: readonly Node[] }
    | { readonly kind: "alternate"; readonly branches: readonly Node[] }
    | {
        readonly kind: "repeat";
        readonly item: Node;
        readonly min: number;
        readonly max: number;
        readonly greedy: boolean;
      }
    | { readonly kind: "capture"; readonly item: Node; readonly name: string }
  );

export const EMPTY: Node = { kind: "empty", size: 1, height: 1 };

export function literal(codes: readonly number[]): Node {
  return { kind: "literal", codes, size: codes.length, height: 1 };
}

/** A set of one code point is a literal. */
export function set(ranges: Ranges): Node {
  const [lo, hi] = ranges;
  if (ranges.length === 2 && lo !== undefined && lo === hi) return literal([lo]);
  return { kind: "set", ranges, size: 1, height: 1 };
}

export function assert(assertion: Assertion): Node {
  return { kind: "assert", assertion, size: 1, height: 1 };
}

export function capture(item: Node, name: string): Node {
  return { kind: "capture", item, name, size: item.size + 2, height: item.height + 1 };
}

/** `max` is Infinity where there is no upper bound. */
export function repeat(item: Node, min: number, max: number, greedy: boolean): Node {
  return { kind: "repeat", item, min, max, greedy, size: repeatSize(item.size, min, max), height: item.height + 1 };
}

function repeatSize(size: number, min: number, max: number): number {
  if (max !== Infinity) return Math.max(1, max * size + (max - min));
  return min === 0 ? size + 2 : min * size + 1;
}

/** Joins items, taking nested concatenations apart and running literals together. */
export function concat(items: readonly Node[]): Node {
  const flat: Node[] = [];
  let run: number[] = [];
  const add = (part: Node): void => {
    if (part.kind === "literal") {
      if (run.length === 0) run = part.codes.slice();
      else for (let i = 0; i < part.codes.length; i++) run.push(part.codes[i] as number);
      return;
    }
    if (run.length > 0) flat.push(literal(run));
    run = [];
    flat.push(part);
  };
  for (const item of items) {
    if (item.kind !== "concat") add(item);
    else for (let i = 0; i < item.items.length; i++) add(item.items[i] as Node);
  }
  if (run.length > 0) flat.push(literal(run));
  const [only] = flat;
  if (only === undefined) return EMPTY;
  if (flat.length === 1) return only;
  return { kind: "concat", items: flat, size: sum(flat), height: 1 + tallest(flat) };
}

/** A choice; neighbouring branches of one character each become one set. */
export function alternate(branches: readonly Node[]): Node {
  const flat: Node[] = [];
  let characters: number[] = [];
  let single: Node | undefined;
  const endSet = (): void => {
    if (single !== undefined) flat.push(single.kind === "set" ? single : set(clean(characters)));
    characters = [];
    single = undefined;
  };
  for (const branch of branches) {
    for (const part of branch.kind === "alternate" ? branch.branches : [branch]) {
      const ranges = oneCharacter(part);
      if (ranges === undefined) {
        endSet();
        flat.push(part);
      } else {
        single = single === undefined ? part : EMPTY;
        for (const bound of ranges) characters.push(bound);
      }
    }
  }
  endSet();
  const [only] = flat;
  if (flat.length === 1 && only !== undefined) return only;
  return { kind: "alternate", branches: flat, size: sum(flat) + flat.length - 1, height: 1 + tallest(flat) };
}

function oneCharacter(node: Node): Ranges | undefined {
  if (node.kind === "set") return node.ranges;
  if (node.kind !== "literal" || node.codes.length !== 1) return undefined;
  const code = node.codes[0] as number;
  return [code, code];
}

function sum(nodes: readonly Node[]): number {
  return nodes.reduce((total, node) => total + node.size, 0);
}

function tallest(nodes: readonly Node[]): number {
  return nodes.reduce((height, node) => Math.max(height, node.height), 0);
}

/** Whether repetitions inside repetitions make no more than `copies` of anything. */
export function repeatsFit(node: Node, copies: number): boolean {
  switch (node.kind) {
    case "repeat": {
      if (node.max === 0) return true;
      const times = node.max === Infinity ? node.min : node.max;
      if (times > copies) return false;
      return repeatsFit(node.item, times > 0 ? Math.floor(copies / times) : copies);
    }
    case "capture":
      return repeatsFit(node.item, copies);
    case "concat":
      return node.items.every((item) => repeatsFit(item, copies));
    case "alternate":
      return node.branches.every((branch) => repeatsFit(branch, copies));
    case "empty":
    case "literal":
    case "set":
    case "assert":
      return true;
  }
}
