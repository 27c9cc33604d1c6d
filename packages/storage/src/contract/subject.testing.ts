// A store under test.

import type { Store } from "../index.ts";

export interface Subject {
  /** An empty store; the suite closes it. */
  open(): Promise<Store>;
  /** Closes the store and opens it again, where it lasts. */
  reopen?(store: Store): Promise<Store>;
  /** The number of random programs and of calls by each concurrent client; fewer where calls are slow. */
  readonly randomRuns?: number;
  readonly linearizableCalls?: number;
}

/** Runs with an empty store and closes it. */
export function withStore(subject: Subject, run: (store: Store) => Promise<void>): () => Promise<void> {
  return async () => {
    const store = await subject.open();
    try {
      await run(store);
    } finally {
      await store.close();
    }
  };
}
