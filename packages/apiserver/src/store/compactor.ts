// History is kept for a while and then given up, as in etcd: superseded values are forgotten.

import type { ObjectStore } from "./object-store.ts";

export const HISTORY_SECONDS = 300;

/** Compacts to where the store was one interval ago; ends with the returned function. */
export function compactRegularly(objects: ObjectStore, seconds: number = HISTORY_SECONDS): () => void {
  let before = 0;
  const timer = setInterval(() => {
    // A store that is busy or away is compacted the next time.
    objects.compact(before).then(
      (revision) => void (before = revision),
      () => undefined,
    );
  }, seconds * 1000);
  timer.unref();
  return () => clearInterval(timer);
}
