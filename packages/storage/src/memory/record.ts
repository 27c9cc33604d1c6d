// A key with its versions since the last compaction, oldest first.

import type { Entry, Revision } from "../store.ts";
import type { Keyed } from "./sorted-keys.ts";

/** A version: the entry, or that the key was deleted. */
export interface Version {
  readonly revision: Revision;
  readonly entry: Entry | undefined;
}

export class Record implements Keyed {
  readonly key: string;
  #versions: Version[] = [];

  constructor(key: string) {
    this.key = key;
  }

  get live(): boolean {
    return this.current !== undefined;
  }

  get current(): Entry | undefined {
    return this.#versions.at(-1)?.entry;
  }

  at(revision: Revision): Entry | undefined {
    for (let i = this.#versions.length - 1; i >= 0; i--) {
      const version = this.#versions[i]!;
      if (version.revision <= revision) return version.entry;
    }
    return undefined;
  }

  add(version: Version): void {
    this.#versions.push(version);
  }

  /** Drops versions superseded at or before `revision`; true when nothing is left. */
  compact(revision: Revision): boolean {
    let keep = this.#versions.findLastIndex((version) => version.revision <= revision);
    if (keep >= 0 && this.#versions[keep]!.entry === undefined) keep += 1;
    if (keep > 0) this.#versions = this.#versions.slice(keep);
    return this.#versions.length === 0;
  }
}
