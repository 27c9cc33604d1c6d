// A bound that users share: bytes of bodies, bytes that nobody has read yet, watches. When it is exhausted, the largest holder gives way,
// so that one user cannot take it from the others.

/** A part of the budget, for one request. */
export class Share {
  readonly holder: string;
  /** Ends the use of the share. */
  readonly cut: () => void;
  readonly #budget: SharedBudget;
  #size = 0;

  constructor(budget: SharedBudget, holder: string, cut: () => void) {
    this.#budget = budget;
    this.holder = holder;
    this.cut = cut;
  }

  get size(): number {
    return this.#size;
  }

  /** False when the request itself must end, because its user has most. */
  grow(by: number): boolean {
    this.#size += by;
    return this.#budget.grown(this, by);
  }

  free(): void {
    const size = this.#size;
    this.#size = 0;
    this.#budget.freed(this, size);
  }
}

interface Holding {
  size: number;
  /** Oldest first. */
  readonly shares: Set<Share>;
}

/** A bound that holders share. */
export class SharedBudget {
  readonly #limit: number;
  readonly #holdings = new Map<string, Holding>();
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  share(holder: string, cut: () => void): Share {
    return new Share(this, holder, cut);
  }

  /** Called by a share of the budget. */
  grown(share: Share, by: number): boolean {
    let holding = this.#holdings.get(share.holder);
    if (holding === undefined) this.#holdings.set(share.holder, (holding = { size: 0, shares: new Set() }));
    holding.shares.add(share);
    holding.size += by;
    this.#size += by;
    while (this.#size > this.#limit) {
      const largest = this.#largest();
      // Nobody gives way to a holder of as much; a single holding may be larger than the budget.
      if (largest.size <= holding.size) return holding.size === by && this.#holdings.size === 1;
      const [oldest] = largest.shares;
      const before = this.#size;
      oldest!.cut();
      // A use that does not end at once counts as ended all the same.
      if (this.#size === before) oldest!.free();
    }
    return true;
  }

  /** Called by a share of the budget. */
  freed(share: Share, size: number): void {
    const holding = this.#holdings.get(share.holder);
    if (holding === undefined || !holding.shares.delete(share)) return;
    holding.size -= size;
    this.#size -= size;
    if (holding.shares.size === 0) this.#holdings.delete(share.holder);
  }

  #largest(): Holding {
    let largest: Holding | undefined;
    for (const holding of this.#holdings.values()) {
      if (largest === undefined || holding.size > largest.size) largest = holding;
    }
    return largest!;
  }
}
