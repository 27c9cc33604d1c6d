// A list of 32-bit integers that takes four bytes for each: data about every object of a stream of millions.

export class Column {
  #values = new Int32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Int32Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  /** Without all from an index on. */
  cut(length: number): void {
    this.#length = Math.min(this.#length, length);
  }
}
