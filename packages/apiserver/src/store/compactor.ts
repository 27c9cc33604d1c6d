// History is kept for a while and then given up, as etcd's is: what was superseded long ago is forgotten.

import type { ObjectStore } from "./object-store.ts";

export const HISTORY_SECONDS = 300;

/** Compacts to where the store was one interval ago; ends with the returned function. */
export function compactRegularly(objects: ObjectStore, seconds: number = HISTORY_SECONDS): () => void {
  let before = 0;
  const timer = setInterval(() => {
    const target = before;
    before = objects.feed.revision;
    // A store that is busy or away is compacted the next time.
    if (target > 0) objects.store.compact(target).catch(() => {});
  }, seconds * 1000);
  timer.unref();
  return () => clearInterval(timer);
}
