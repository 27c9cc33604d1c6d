// Tries the first requests of a program again until the API server answers. In a cluster that is starting, the API server or permissions
// may be missing at first: to exit and be restarted would only take longer.

import { ApiError, Backoff, ConnectionError, sleep } from "@celadon/client";

/** Receives failures, and ends the retries. */
export interface RetriedOptions {
  /** Called for every failure. */
  readonly failed: (error: unknown) => void;
  /** Ends the retries; the promise is then rejected. */
  readonly signal: AbortSignal;
}

/** Calls until there is a result. Failures that do not come from the API server are thrown. */
export async function retried<T>(ask: () => Promise<T>, { failed, signal }: RetriedOptions): Promise<T> {
  const backoff = new Backoff({ firstMs: 500, mostMs: 10_000 });
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error;
      failed(error);
    }
    await sleep(backoff.next(), signal);
    signal.throwIfAborted();
  }
}
