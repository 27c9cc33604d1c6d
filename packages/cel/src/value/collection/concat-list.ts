// Two lists after one another, without a copy of either: what `+` makes of long lists, at a cost of one as the reference's.

import type { CelError } from "../error.ts";
import { growBy, work } from "../size/work.ts";
import { ListValue, type Value } from "../value.ts";

type Part = readonly Value[] | ListValue;

/** Lists joined more often than this are written out when they are first read, unless they are too long to. */
const MAX_DEPTH = 16;
const WRITTEN_MAX = 1_000_000;

/** The memory of one list, in elements of an array. */
const CONCAT_GROWTH = 8;

export class ConcatList extends ListValue {
  override readonly size: number;
  readonly #left: Part;
  readonly #right: Part;
  readonly #depth: number;
  #items: Value[] | undefined;

  constructor(left: Part, right: Part) {
    super();
    growBy(CONCAT_GROWTH);
    this.#left = left;
    this.#right = right;
    this.size = sizeOf(left) + sizeOf(right);
    this.#depth = 1 + Math.max(depthOf(left), depthOf(right));
  }

  get depth(): number {
    return this.#depth;
  }

  override get(index: number): Value | CelError {
    if (this.#items === undefined && this.#depth > MAX_DEPTH && this.size <= WRITTEN_MAX)
      this.#items = this.#writeOut();
    if (this.#items !== undefined) return this.#items[index];
    let at = index;
    let list: Part = this;
    let steps = 0;
    while (list instanceof ConcatList && list.#items === undefined) {
      const left = sizeOf(list.#left);
      if (at < left) list = list.#left;
      else {
        at -= left;
        list = list.#right;
      }
      steps++;
    }
    if (steps > MAX_DEPTH) work(steps);
    if (list instanceof ConcatList) return (list.#items as Value[])[at];
    if (list instanceof ListValue) return list.get(at);
    return list[at] === undefined ? null : list[at];
  }

  #writeOut(): Value[] {
    growBy(this.size);
    const items: Value[] = [];
    const stack: Part[] = [this];
    for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
      if (part instanceof ConcatList && part.#items === undefined) stack.push(part.#right, part.#left);
      else
        for (let i = 0; i < sizeOf(part); i++) items.push(part instanceof ListValue ? part.get(i) : (part[i] ?? null));
    }
    return items;
  }
}

const sizeOf = (list: Part): number => (list instanceof ListValue ? list.size : list.length);
const depthOf = (list: Part): number => (list instanceof ConcatList ? list.depth : 0);
