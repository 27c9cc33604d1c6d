// What every store must do. Each part opens stores of its own, so that revisions start where the part expects them.

import { describe } from "vitest";
import type { Store } from "../index.ts";
import { compactionContract } from "./compaction.testing.ts";
import { readContract } from "./reads.testing.ts";
import { watchContract } from "./watches.testing.ts";
import { writeContract } from "./writes.testing.ts";

export interface Subject {
  /** An empty store; the suite closes it. */
  open(): Promise<Store>;
}

export function storageContract(name: string, subject: Subject): void {
  describe(`${name}: contract`, () => {
    readContract(subject);
    writeContract(subject);
    watchContract(subject);
    compactionContract(subject);
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
