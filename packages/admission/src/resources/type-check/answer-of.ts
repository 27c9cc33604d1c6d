// Asking hosts where a failure of theirs must not be one of ours: checks of resources are advice.

import type { Maybe } from "../../hosts.ts";

/** The answer of a host; undefined when it fails. */
export async function answerOf<T>(ask: () => Maybe<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}
