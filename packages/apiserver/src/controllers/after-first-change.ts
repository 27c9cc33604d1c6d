// When controllers start: with the first change, or a moment after the server is ready. Clients that wait for the server to start are
// answered before the controllers look at everything.

import type { Feed } from "../store/feed.ts";

const MOMENT_MS = 100;

/** Returns what gives up waiting. */
export function afterFirstChange(feed: Feed, work: () => void): () => void {
  const start = (): void => {
    stop();
    work();
  };
  const timer = setTimeout(start, MOMENT_MS);
  timer.unref();
  const unlisten = feed.listenAll(start);
  const stop = (): void => {
    clearTimeout(timer);
    unlisten();
  };
  return stop;
}
