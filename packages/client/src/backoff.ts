// Waiting longer after each failure, with jitter, so that many programs do not come back at the same moment.

/** The first and the longest wait. */
export interface BackoffOptions {
  readonly firstMs: number;
  readonly mostMs: number;
  /** Between 0 and 1; Math.random unless a test gives another. */
  readonly random?: () => number;
}

/** The wait after a failure: longer each time, up to a limit. */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** The wait after one more failure. */
  next(): number {
    const { firstMs, mostMs, random = Math.random } = this.#options;
    const wait = Math.min(mostMs, firstMs * 2 ** this.#failures++);
    return wait * (0.5 + random() / 2);
  }

  /** It worked. */
  reset(): void {
    this.#failures = 0;
  }
}

/** Resolves after so long, or at once when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}
