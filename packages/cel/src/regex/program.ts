// The tree as a nondeterministic automaton over sets of code points. Only whether a match exists is asked of it, so groups and
// greediness leave no trace.

import type { Ranges } from "./ranges.ts";
import type { Assertion, Node } from "./syntax.ts";

export const MATCH = 0;
/** Consume a code point of set `arg`, go on at `out`. */
export const CONSUME = 1;
/** Go on at both `out` and `arg`. */
export const SPLIT = 2;
/** Go on at `out` where assertion `arg` (an index into ASSERTIONS) holds. */
export const ASSERT = 3;

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

export function compileProgram(tree: Node): Program {
  const builder = new Builder();
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
  readonly match: number = this.#emit(MATCH, 0, 0);

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
        return this.add(node.item, next);
      case "repeat":
        return this.#repeat(node.item, node.min, node.max, next);
    }
  }

  /** x{2,4} is xx(x(x)?)?, x{2,} is xxx*. */
  #repeat(item: Node, min: number, max: number, next: number): number {
    let start = next;
    if (max === Infinity) {
      const loop = this.#emit(SPLIT, next, next);
      this.#arg[loop] = this.add(item, loop);
      start = loop;
    } else {
      for (let i = min; i < max; i++) start = this.#emit(SPLIT, this.add(item, start), next);
    }
    for (let i = 0; i < min; i++) start = this.add(item, start);
    return start;
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
