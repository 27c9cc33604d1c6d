// What every store must do. Each part opens stores of its own, so that revisions start where the part expects them.

import { describe } from "vitest";
import type { Store } from "../index.ts";
import { compactionContract } from "./compaction.testing.ts";
import { linearizableContract } from "./linearizable.testing.ts";
import { randomContract } from "./random.testing.ts";
import { readContract } from "./reads.testing.ts";
import { watchContract } from "./watches.testing.ts";
import { writeContract } from "./writes.testing.ts";

export interface Subject {
  /** An empty store; the suite closes it. */
  open(): Promise<Store>;
  /** Closes the store and opens it again, where it lasts. */
  reopen?(store: Store): Promise<Store>;
  /** How many random programs, and how many calls of each concurrent client; fewer where calls are slow. */
  readonly randomRuns?: number;
  readonly linearizableCalls?: number;
}

export function storageContract(name: string, subject: Subject): void {
  describe(`${name}: contract`, () => {
    readContract(subject);
    writeContract(subject);
    watchContract(subject);
    compactionContract(subject);
    randomContract(subject);
    linearizableContract(subject);
  });
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
