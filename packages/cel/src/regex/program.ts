// The tree as a nondeterministic automaton over sets of code points. `out` is the preferred one of two transitions. Groups are recorded
// only on request: whether a match exists does not depend on them.

import type { Ranges } from "./ranges.ts";
import type { Assertion, Node } from "./syntax.ts";

export const MATCH = 0;
/** Consume a code point of set `arg`, go on at `out`. */
export const CONSUME = 1;
/** Go on at both `out` and `arg`, preferring `out`. */
export const SPLIT = 2;
/** Go on at `out` where assertion `arg` (an index into ASSERTIONS) holds. */
export const ASSERT = 3;
/** Note the position in slot `arg`, go on at `out`. Slots 2n and 2n + 1 are where group n + 1 begins and ends. */
export const CAPTURE = 4;

export const ASSERTIONS: readonly Assertion[] = [
  "text-begin",
  "line-begin",
  "text-end",
  "line-end",
  "word-boundary",
  "no-word-boundary",
];

/** Instruction 0 is the match. */
export interface Program {
  readonly start: number;
  readonly op: Uint8Array;
  readonly out: Int32Array;
  readonly arg: Int32Array;
  readonly sets: readonly Ranges[];
  /** Assertions that occur. */
  readonly assertions: ReadonlySet<Assertion>;
}

export interface ProgramOptions {
  /** With instructions that note where groups begin and end. */
  readonly groups?: boolean;
}

export function compileProgram(tree: Node, { groups = false }: ProgramOptions = {}): Program {
  const builder = new Builder(groups ? groupNumbers(tree) : undefined);
  const start = builder.add(tree, builder.match);
  return builder.finish(start);
}

/** Builds back to front: a node is compiled knowing where to go on, so nothing needs patching but loops. */
class Builder {
  readonly #op: number[] = [];
  readonly #out: number[] = [];
  readonly #arg: number[] = [];
  readonly #sets: Ranges[] = [];
  readonly #setIds = new Map<string, number>();
  readonly #knownSets = new Map<Ranges, number>();
  readonly #assertions = new Set<Assertion>();
  readonly #groups: ReadonlyMap<Node, number> | undefined;
  readonly match: number = this.#emit(MATCH, 0, 0);

  constructor(groups: ReadonlyMap<Node, number> | undefined) {
    this.#groups = groups;
  }

  add(node: Node, next: number): number {
    switch (node.kind) {
      case "empty":
        return next;
      case "literal":
        return node.codes.reduceRight((after, code) => this.#emit(CONSUME, after, this.#setId([code, code])), next);
      case "set":
        return this.#emit(CONSUME, next, this.#setId(node.ranges));
      case "assert":
        this.#assertions.add(node.assertion);
        return this.#emit(ASSERT, next, ASSERTIONS.indexOf(node.assertion));
      case "concat":
        return node.items.reduceRight((after, item) => this.add(item, after), next);
      case "alternate":
        return node.branches
          .map((branch) => this.add(branch, next))
          .reduceRight((rest, branch) => this.#emit(SPLIT, branch, rest));
      case "capture":
        return this.#capture(node, node.item, next);
      case "repeat":
        return this.#repeat(node, next);
    }
  }

  #capture(node: Node, item: Node, next: number): number {
    const group = this.#groups?.get(node);
    if (group === undefined) return this.add(item, next);
    return this.#emit(CAPTURE, this.add(item, this.#emit(CAPTURE, next, 2 * group + 1)), 2 * group);
  }

  /** x{2,4} is xx(x(x)?)?, x{2,} is xx+. */
  #repeat({ item, min, max, greedy }: Repeat, next: number): number {
    let start = next;
    let copies = min;
    if (max === Infinity) {
      const loop = this.#emit(SPLIT, next, next);
      const body = this.add(item, loop);
      this.#choose(loop, body, next, greedy);
      // A part that may be empty is tried once before it is left out, as in Go: (x+)? rather than x*.
      if (min > 0) start = body;
      else start = isNullable(item) ? this.#choose(this.#emit(SPLIT, next, next), body, next, greedy) : loop;
      copies = Math.max(min - 1, 0);
    } else {
      for (let i = min; i < max; i++) {
        const body = this.add(item, start);
        start = this.#choose(this.#emit(SPLIT, next, next), body, next, greedy);
      }
    }
    for (let i = 0; i < copies; i++) start = this.add(item, start);
    return start;
  }

  /** A greedy repetition prefers once more, any other to go on. */
  #choose(split: number, body: number, next: number, greedy: boolean): number {
    this.#out[split] = greedy ? body : next;
    this.#arg[split] = greedy ? next : body;
    return split;
  }

  #emit(op: number, out: number, arg: number): number {
    this.#op.push(op);
    this.#out.push(out);
    this.#arg.push(arg);
    return this.#op.length - 1;
  }

  #setId(ranges: Ranges): number {
    const known = this.#knownSets.get(ranges);
    if (known !== undefined) return known;
    const key = ranges.join();
    let id = this.#setIds.get(key);
    if (id === undefined) {
      id = this.#sets.push(ranges) - 1;
      this.#setIds.set(key, id);
    }
    this.#knownSets.set(ranges, id);
    return id;
  }

  finish(start: number): Program {
    return {
      start,
      op: Uint8Array.from(this.#op),
      out: Int32Array.from(this.#out),
      arg: Int32Array.from(this.#arg),
      sets: this.#sets,
      assertions: this.#assertions,
    };
  }
}

type Repeat = Extract<Node, { kind: "repeat" }>;

/** Groups in the order of their opening parentheses, from 0. */
function groupNumbers(tree: Node): Map<Node, number> {
  const numbers = new Map<Node, number>();
  const visit = (node: Node): void => {
    if (node.kind === "capture") numbers.set(node, numbers.size);
    childrenOf(node).forEach(visit);
  };
  visit(tree);
  return numbers;
}

function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "concat":
      return node.items;
    case "alternate":
      return node.branches;
    case "capture":
    case "repeat":
      return [node.item];
    default:
      return [];
  }
}

/** Whether it may match without taking anything. */
function isNullable(node: Node): boolean {
  switch (node.kind) {
    case "literal":
      return node.codes.length === 0;
    case "set":
      return false;
    case "empty":
    case "assert":
      return true;
    case "concat":
      return node.items.every(isNullable);
    case "alternate":
      return node.branches.some(isNullable);
    case "capture":
      return isNullable(node.item);
    case "repeat":
      return node.min === 0 || isNullable(node.item);
  }
}
