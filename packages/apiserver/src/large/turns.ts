// Turns of users: a bounded number of pieces of work at once, and waiting users in turn, so that nobody waits behind all requests of
// another.

export class Turns {
  readonly #atOnce: number;
  readonly #waiting = new Map<string, (() => void)[]>();
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async take<T>(user: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) await this.#turnOf(user);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turnOf(user: string): Promise<void> {
    return new Promise((go) => {
      const queue = this.#waiting.get(user);
      if (queue === undefined) this.#waiting.set(user, [go]);
      else queue.push(go);
    });
  }

  /** Hands the place on, or gives it up. A served user goes behind the others. */
  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#running -= 1;
      return;
    }
    const [user, queue] = first;
    this.#waiting.delete(user);
    const go = queue.shift()!;
    if (queue.length > 0) this.#waiting.set(user, queue);
    go();
  }
}
