// Numbers nodes, remembers where they stand, and expands macros. Both parsers build through it, in the reference's order of
// numbering, so that exported trees are equal to the reference's down to the ids.

import { ACCUMULATOR, type Call, type Expr, type MapEntry } from "../ast/expr.ts";
import type { Issue } from "../ast/issue.ts";
import { SpanTable } from "../ast/span-table.ts";
import { expandMacro } from "./expand-macro.ts";
import { findMacro, type MacroIndex } from "./macro-index.ts";

/** Thrown when an expression has more nodes than allowed; macros that copy their target can make any number of them. */
export const TOO_MANY_NODES: Error = new Error("too many nodes");

export class TreeBuilder {
  readonly spans: SpanTable = new SpanTable();
  readonly macroCalls: Map<number, Expr> = new Map();
  readonly #macros: MacroIndex;
  readonly #maxNodes: number;
  /** The name of the accumulator of macros. */
  readonly accumulator: string;
  #nextId = 1;

  constructor(macros: MacroIndex, maxNodes: number, accumulator: string = ACCUMULATOR) {
    this.#macros = macros;
    this.accumulator = accumulator;
    this.#maxNodes = maxNodes;
  }

  /** The id the next node will have; give it to `rewind` to forget the nodes made since. */
  get nextId(): number {
    return this.#nextId;
  }

  /** A number for a node that begins at `start` and points at `at`; its end comes with `close`. */
  open(start: number, end: number, at: number): number {
    const id = this.#nextId++;
    if (id > this.#maxNodes) throw TOO_MANY_NODES;
    this.spans.set(id, start, end, at);
    return id;
  }

  /** A number for a part without a place in the text, which could not be read. */
  unplaced(): number {
    const id = this.#nextId++;
    if (id > this.#maxNodes) throw TOO_MANY_NODES;
    return id;
  }

  rewind(id: number): void {
    for (let i = id; i < this.#nextId; i++) this.spans.delete(i);
    this.#nextId = id;
  }

  /** Forgets a number that no node got; it is given out again when it was the last. */
  release(id: number): void {
    this.spans.delete(id);
    if (id === this.#nextId - 1) this.#nextId--;
  }

  binary(id: number, name: string, left: Expr, right: Expr): Call {
    return { kind: "call", id, function: name, target: undefined, args: [left, right] };
  }

  /** `name(args)` or `target.name(args)` under the number `id`, whose span covers the call; or the expansion of a macro of that shape. */
  call(id: number, name: string, target: Expr | undefined, args: readonly Expr[]): Expr | Issue {
    const candidates = this.#macros.get(name);
    if (candidates !== undefined) {
      const macro = findMacro(candidates, target !== undefined, args.length);
      if (macro !== undefined) {
        const expanded = expandMacro(this, id, macro, target, args);
        if (expanded !== undefined) return expanded;
      }
    }
    return { kind: "call", id, function: name, target, args };
  }

  /** A balanced tree over the terms of a chain of `&&` or `||`; `ops[i]` stands between terms `i` and `i + 1`. */
  balance(
    name: string,
    terms: readonly Expr[],
    starts: readonly number[],
    ends: readonly number[],
    ops: readonly number[],
    ats: readonly number[],
  ): Expr {
    const build = (lo: number, hi: number): Expr => {
      const mid = (lo + hi + 1) >> 1;
      const left = mid === lo ? terms[mid]! : build(lo, mid - 1);
      const right = mid === hi ? terms[mid + 1]! : build(mid + 1, hi);
      const id = ops[mid]!;
      this.spans.set(id, starts[lo]!, ends[hi + 1]!, ats[mid]!);
      return this.binary(id, name, left, right);
    };
    return build(0, ops.length - 1);
  }

  mapEntry(id: number, key: Expr, value: Expr, optional: boolean): MapEntry {
    return { id, key, value, optional };
  }
}

export const isIssue = (made: Expr | Issue): made is Issue => !("kind" in made);
