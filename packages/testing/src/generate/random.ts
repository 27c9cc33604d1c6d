// Randomness with a seed, so that a run can be repeated: xorshift32 (Marsaglia 2003), its seed scattered first so that
// neighbouring seeds give unlike runs.

export class Random {
  #state: number;

  constructor(seed: number) {
    let x = Math.imul((seed | 0) ^ 0x9e3779b9, 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    this.#state = (x ^ (x >>> 16)) | 0 || 0x9e3779b9;
  }

  /** An integer from 0 to n - 1. */
  below(n: number): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return Math.floor(((x >>> 0) / 2 ** 32) * n);
  }

  /** True once in n times. */
  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }
}

/** A number made of a seed and a text, so that each part of a run has randomness of its own, independent of earlier parts. */
export function seedFor(seed: number, text: string): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0;
}
