// The contract of every store. Each part opens stores of its own, so that revisions start where the part expects them.

import { describe } from "vitest";
import { compactionContract } from "./compaction.testing.ts";
import { linearizableContract } from "./linearizable.testing.ts";
import { randomContract } from "./random.testing.ts";
import { readContract } from "./reads.testing.ts";
import type { Subject } from "./subject.testing.ts";
import { watchContract } from "./watches.testing.ts";
import { writeContract } from "./writes.testing.ts";

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
