// The origin of data: `[variable, field, "@items", …]`, the argument of size estimators.

/**
 * A path that grows the way a Go slice does: appending to a path writes into spare capacity that it shares with other paths grown from the
 * same one, so the later of two siblings replaces the earlier one's last step. Upstream's estimates show this: the key variable of
 * `self.spec.labels.all(k, v, …)` has the path of the value variable. Capacities double: 1, 2, 4, 8.
 */
export class Path {
  static readonly empty: Path = new Path([], 0);
  readonly length: number;
  readonly #slots: string[];

  private constructor(slots: string[], length: number) {
    this.#slots = slots;
    this.length = length;
  }

  static of(root: string): Path {
    return Path.empty.append(root);
  }

  append(step: string): Path {
    const capacity = this.#slots.length;
    let slots = this.#slots;
    if (this.length === capacity) {
      slots = new Array<string>(Math.max(1, capacity * 2)).fill("");
      for (let i = 0; i < capacity; i++) slots[i] = this.#slots[i] ?? "";
    }
    slots[this.length] = step;
    return new Path(slots, this.length + 1);
  }

  get root(): string | undefined {
    return this.length === 0 ? undefined : this.#slots[0];
  }

  steps(): readonly string[] {
    return this.#slots.slice(0, this.length);
  }
}
