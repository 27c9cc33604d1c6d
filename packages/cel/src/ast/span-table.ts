// Spans by node id. Ids are small and dense, so three arrays of numbers serve better than a map of objects; a Span is
// made on request.

import type { Span } from "./source.ts";

export class SpanTable implements ReadonlyMap<number, Span> {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** -1 where no node has the id. */
  readonly #ats: number[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  set(id: number, start: number, end: number, at: number): void {
    // ids are given out in order: filling the gap keeps the arrays without holes
    for (let i = this.#ats.length; i < id; i++) {
      this.#starts[i] = 0;
      this.#ends[i] = 0;
      this.#ats[i] = -1;
    }
    if (id >= this.#ats.length || this.#ats[id]! < 0) this.#size++;
    this.#starts[id] = start;
    this.#ends[id] = end;
    this.#ats[id] = at;
  }

  delete(id: number): void {
    if (this.has(id)) {
      this.#ats[id] = -1;
      this.#size--;
    }
  }

  has(id: number): boolean {
    return (this.#ats[id] ?? -1) >= 0;
  }

  get(id: number): Span | undefined {
    const at = this.#ats[id] ?? -1;
    return at < 0 ? undefined : { start: this.#starts[id]!, end: this.#ends[id]!, at };
  }

  startOf(id: number): number {
    return this.#starts[id] ?? 0;
  }

  endOf(id: number): number {
    return this.#ends[id] ?? 0;
  }

  forEach(callback: (span: Span, id: number, map: ReadonlyMap<number, Span>) => void): void {
    for (const [id, span] of this) callback(span, id, this);
  }

  *entries(): MapIterator<[number, Span]> {
    for (let id = 0; id < this.#ats.length; id++) {
      const span = this.get(id);
      if (span !== undefined) yield [id, span];
    }
  }

  *keys(): MapIterator<number> {
    for (const [id] of this) yield id;
  }

  *values(): MapIterator<Span> {
    for (const [, span] of this) yield span;
  }

  [Symbol.iterator](): MapIterator<[number, Span]> {
    return this.entries();
  }
}
