// A map that forgets, for values that are expensive to make and cheap to keep for a while.

/** Keeps the entries that were set or used last, up to a number. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  /** Maps keep the order of insertion: the first entry is the oldest. */
  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#most) this.delete(this.keys().next().value!);
    return this;
  }

  /** The value of a key, whose entry becomes the newest. */
  use(key: K): V | undefined {
    const value = this.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }
}
