// Randomness with a seed, so that a run can be repeated: xorshift32 (Marsaglia 2003).

export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0 || 0x9e3779b9;
  }

  /** An integer from 0 to n - 1. */
  below(n: number): number {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x;
    return Math.floor(((x >>> 0) / 2 ** 32) * n);
  }

  /** True once in n times. */
  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error("nothing to pick from");
    return from[this.below(from.length)] as T;
  }
}
