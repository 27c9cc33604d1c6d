// The order in which the reference leaves equal keys. Its sort is not stable, so users see where ties end up: the same
// pattern-defeating quicksort (Go's sort.Slice) is followed step by step, pivots and pseudo-random swaps included.

/** Whether the element now at position `i` comes before the one at `j`. */
type Less = (i: number, j: number) => boolean;

const INSERTION_MAX = 12;
const SHIFTING_MIN = 50;
const NINTHER_MIN = 50;
const PARTIAL_STEPS = 5;
const ALL_SWAPPED = 12;

/** Sorts `items` in place; `before` compares two of them. */
export function goSort<T>(items: T[], before: (a: T, b: T) => boolean): void {
  new Sorter(items, before).sort(0, items.length, 32 - Math.clz32(items.length));
}

class Sorter<T> {
  readonly #items: T[];
  readonly #less: Less;

  constructor(items: T[], before: (a: T, b: T) => boolean) {
    this.#items = items;
    this.#less = (i, j) => before(items[i] as T, items[j] as T);
  }

  /** Sorts from..to (exclusive), with so many bad pivots allowed before it turns to heap sort. */
  sort(from: number, to: number, badPivots: number): void {
    let [lo, hi, limit] = [from, to, badPivots];
    let [balanced, partitioned] = [true, true];
    while (hi - lo > INSERTION_MAX) {
      if (limit === 0) {
        this.#heapSort(lo, hi);
        return;
      }
      if (!balanced) {
        this.#scatter(lo, hi);
        limit--;
      }
      let { pivot, swaps } = this.#choosePivot(lo, hi);
      if (swaps === ALL_SWAPPED) {
        this.#reverse(lo, hi);
        pivot = hi - 1 - (pivot - lo);
        swaps = 0;
      }
      if (balanced && partitioned && swaps === 0 && this.#sortNearlySorted(lo, hi)) return;
      if (lo > 0 && !this.#less(lo - 1, pivot)) {
        lo = this.#skipEqual(lo, hi, pivot);
        continue;
      }
      const [middle, untouched] = this.#partition(lo, hi, pivot);
      partitioned = untouched;
      const [left, right] = [middle - lo, hi - middle];
      balanced = Math.min(left, right) >= Math.trunc((hi - lo) / 8);
      if (left < right) {
        this.sort(lo, middle, limit);
        lo = middle + 1;
      } else {
        this.sort(middle + 1, hi, limit);
        hi = middle;
      }
    }
    this.#insertionSort(lo, hi);
  }

  #swap(i: number, j: number): void {
    const item = this.#items[i] as T;
    this.#items[i] = this.#items[j] as T;
    this.#items[j] = item;
  }

  #insertionSort(lo: number, hi: number): void {
    for (let i = lo + 1; i < hi; i++) {
      for (let j = i; j > lo && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
    }
  }

  /** Everything before the pivot to its left. Also says whether nothing had to move. */
  #partition(lo: number, hi: number, pivot: number): [middle: number, untouched: boolean] {
    this.#swap(lo, pivot);
    let [i, j, untouched] = [lo + 1, hi - 1, true];
    for (;;) {
      while (i <= j && this.#less(i, lo)) i++;
      while (i <= j && !this.#less(j, lo)) j--;
      if (i > j) break;
      this.#swap(i++, j--);
      untouched = false;
    }
    this.#swap(j, lo);
    return [j, untouched];
  }

  /** Elements equal to the pivot first, where none is smaller; answers where the greater ones start. */
  #skipEqual(lo: number, hi: number, pivot: number): number {
    this.#swap(lo, pivot);
    let [i, j] = [lo + 1, hi - 1];
    for (;;) {
      while (i <= j && !this.#less(lo, i)) i++;
      while (i <= j && this.#less(lo, j)) j--;
      if (i > j) return i;
      this.#swap(i++, j--);
    }
  }

  /** Repairs a few neighbours out of order; true when that sorted everything. */
  #sortNearlySorted(lo: number, hi: number): boolean {
    let i = lo + 1;
    for (let step = 0; step < PARTIAL_STEPS; step++) {
      while (i < hi && !this.#less(i, i - 1)) i++;
      if (i === hi) return true;
      if (hi - lo < SHIFTING_MIN) return false;
      this.#swap(i, i - 1);
      if (i - lo >= 2) for (let j = i - 1; j >= 1 && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
      if (hi - i >= 2) for (let j = i + 1; j < hi && this.#less(j, j - 1); j++) this.#swap(j, j - 1);
    }
    return false;
  }

  /** Moves three elements of the middle to places that look random but depend on the length alone. */
  #scatter(lo: number, hi: number): void {
    const length = hi - lo;
    if (length < 8) return;
    let random = BigInt(length);
    const mask = (1n << BigInt(32 - Math.clz32(length))) - 1n;
    const middle = lo + Math.trunc(length / 4) * 2;
    for (let i = middle - 1; i <= middle + 1; i++) {
      random ^= BigInt.asUintN(64, random << 13n);
      random ^= random >> 7n;
      random ^= BigInt.asUintN(64, random << 17n);
      const other = Number(random & mask);
      this.#swap(i, lo + (other >= length ? other - length : other));
    }
  }

  #choosePivot(lo: number, hi: number): { pivot: number; swaps: number } {
    const quarter = Math.trunc((hi - lo) / 4);
    let swaps = 0;
    const median = (a: number, b: number, c: number): number => {
      let [low, mid, high] = [a, b, c];
      if (this.#less(mid, low)) [low, mid, swaps] = [mid, low, swaps + 1];
      if (this.#less(high, mid)) [mid, high, swaps] = [high, mid, swaps + 1];
      if (this.#less(mid, low)) [mid, swaps] = [low, swaps + 1];
      return mid;
    };
    let candidates: [number, number, number] = [lo + quarter, lo + quarter * 2, lo + quarter * 3];
    if (hi - lo >= NINTHER_MIN) {
      const [a, b, c] = candidates;
      candidates = [median(a - 1, a, a + 1), median(b - 1, b, b + 1), median(c - 1, c, c + 1)];
    }
    const pivot = median(...candidates);
    return { pivot, swaps };
  }

  #reverse(lo: number, hi: number): void {
    for (let [i, j] = [lo, hi - 1]; i < j; i++, j--) this.#swap(i, j);
  }

  #heapSort(lo: number, hi: number): void {
    const size = hi - lo;
    for (let i = Math.trunc((size - 1) / 2); i >= 0; i--) this.#siftDown(i, size, lo);
    for (let i = size - 1; i >= 0; i--) {
      this.#swap(lo, lo + i);
      this.#siftDown(0, i, lo);
    }
  }

  #siftDown(from: number, size: number, offset: number): void {
    for (let root = from; ; ) {
      let child = 2 * root + 1;
      if (child >= size) return;
      if (child + 1 < size && this.#less(offset + child, offset + child + 1)) child++;
      if (!this.#less(offset + root, offset + child)) return;
      this.#swap(offset + root, offset + child);
      root = child;
    }
  }
}
