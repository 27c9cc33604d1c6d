// A list of a document whose items are made while it is written: the documents of a hundred thousand objects at once would be most of the
// memory.

export class LazyList<T> {
  readonly #of: Iterable<T>;
  readonly #make: (item: T) => unknown;

  constructor(of: Iterable<T>, make: (item: T) => unknown) {
    this.#of = of;
    this.#make = make;
  }

  *[Symbol.iterator](): Generator<unknown> {
    for (const item of this.#of) yield this.#make(item);
  }
}
