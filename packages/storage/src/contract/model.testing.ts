// The simplest store there is: a list of transactions, replayed for every question. Others are compared with it.

import type { Revision, StoreOperation } from "../index.ts";

export interface ModelEntry {
  readonly key: string;
  readonly value: string;
  readonly createRevision: Revision;
  readonly modRevision: Revision;
  readonly version: number;
}

export interface ModelChange {
  readonly key: string;
  /** Undefined for a deletion. */
  readonly entry: ModelEntry | undefined;
  readonly previous: ModelEntry | undefined;
}

export interface ModelBatch {
  readonly revision: Revision;
  readonly changes: readonly ModelChange[];
}

export type ModelWritten =
  | { readonly written: true; readonly revision: Revision }
  | { readonly written: false; readonly revision: Revision; readonly current: readonly (ModelEntry | undefined)[] };

export class Model {
  readonly #batches: ModelBatch[] = [];
  #revision: Revision;
  /** Before this revision nothing is known. */
  readonly first: Revision;
  compacted: Revision = 0;

  constructor(revision: Revision) {
    this.first = revision;
    this.#revision = revision;
  }

  get revision(): Revision {
    return this.#revision;
  }

  /** Keys and entries at a revision, in no order. */
  at(revision: Revision): Map<string, ModelEntry> {
    const entries = new Map<string, ModelEntry>();
    for (const batch of this.#batches) {
      if (batch.revision > revision) break;
      for (const { key, entry } of batch.changes) {
        if (entry === undefined) entries.delete(key);
        else entries.set(key, entry);
      }
    }
    return entries;
  }

  list(prefix: string, revision: Revision): ModelEntry[] {
    return [...this.at(revision).values()]
      .filter(({ key }) => key.startsWith(prefix))
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  }

  write(operations: readonly StoreOperation[]): ModelWritten {
    const now = this.at(this.#revision);
    const fits = operations.every(({ key, ifRevision }) => {
      return ifRevision === undefined || ifRevision === (now.get(key)?.modRevision ?? 0);
    });
    if (!fits) return { written: false, revision: this.#revision, current: operations.map(({ key }) => now.get(key)) };
    const revision = this.#revision + 1;
    const changes = operations.flatMap((operation): ModelChange[] => {
      const { key } = operation;
      const previous = now.get(key);
      if (operation.op === "check" || (operation.op === "delete" && previous === undefined)) return [];
      if (operation.op === "delete") return [{ key, entry: undefined, previous }];
      const entry = {
        key,
        value: Buffer.from(operation.value).toString(),
        createRevision: previous?.createRevision ?? revision,
        modRevision: revision,
        version: (previous?.version ?? 0) + 1,
      };
      return [{ key, entry, previous }];
    });
    if (changes.length > 0) {
      this.#revision = revision;
      this.#batches.push({ revision, changes });
    }
    return { written: true, revision: this.#revision };
  }

  history(prefix: string, from: Revision): ModelBatch[] {
    return this.#batches.flatMap(({ revision, changes }) => {
      const own = changes.filter(({ key }) => key.startsWith(prefix));
      return revision < from || own.length === 0 ? [] : [{ revision, changes: own }];
    });
  }
}
