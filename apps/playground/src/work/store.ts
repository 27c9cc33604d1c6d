// Workspaces, kept in the browser. If storage is not allowed, nothing is kept and nothing fails.

import { isRecord, own } from "@celadon/base";
import { readWork, type Work } from "@celadon/language/playground";

/** Work under a name: of each mode that was used, the current one first. */
export interface Space {
  readonly id: string;
  readonly name: string;
  readonly works: readonly Work[];
  /** Milliseconds. */
  readonly changed: number;
}

/** Work that something else has replaced. */
export interface Replaced {
  readonly work: Work;
  readonly at: number;
}

const [DATABASE, STORE, PREFIX, REPLACED] = ["celadon-playground", "work", "space:", "replaced"];
/** Work of versions without workspaces. */
const LAST = "last";

function withStore<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    try {
      const opening = indexedDB.open(DATABASE, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
      opening.onerror = () => resolve(undefined);
      opening.onsuccess = () => {
        const database = opening.result;
        try {
          const request = use(database.transaction(STORE, mode).objectStore(STORE));
          request.onsuccess = () => {
            resolve(request.result);
            database.close();
          };
          request.onerror = () => resolve(undefined);
        } catch {
          resolve(undefined);
        }
      };
    } catch {
      resolve(undefined);
    }
  });
}

/** The newest first. Each is a record of its own, so that several pages do not overwrite each other's. */
export async function keptSpaces(): Promise<readonly Space[]> {
  const range = IDBKeyRange.bound(PREFIX, `${PREFIX}\uffff`);
  const kept: unknown = await withStore("readonly", (store) => store.getAll(range));
  const spaces = (Array.isArray(kept) ? kept : []).flatMap((item) => readSpace(item) ?? []);
  if (spaces.length > 0) return spaces.sort((a, b) => b.changed - a.changed);
  const last: unknown = await withStore("readonly", (store) => store.get(LAST));
  const works = (Array.isArray(last) ? last : [last]).flatMap((item) => readWork(item) ?? []);
  return works.length === 0 ? [] : [{ id: LAST, name: "My work", works, changed: 0 }];
}

function readSpace(value: unknown): Space | undefined {
  if (!isRecord(value)) return undefined;
  const [id, name, works, changed] = ["id", "name", "works", "changed"].map((key) => own(value, key));
  if (typeof id !== "string" || typeof name !== "string" || !Array.isArray(works)) return undefined;
  const read = works.flatMap((item) => readWork(item) ?? []);
  return read.length === 0 ? undefined : { id, name, works: read, changed: typeof changed === "number" ? changed : 0 };
}

export async function keepSpace(space: Space): Promise<void> {
  await withStore("readwrite", (store) => store.put(space, PREFIX + space.id));
}

export async function forgetSpace(id: string): Promise<void> {
  await withStore("readwrite", (store) => store.delete(PREFIX + id));
  if (id === LAST) await withStore("readwrite", (store) => store.delete(LAST));
}

export async function forgetAll(): Promise<void> {
  await withStore("readwrite", (store) => store.clear());
}

export async function keptReplaced(): Promise<readonly Replaced[]> {
  const kept: unknown = await withStore("readonly", (store) => store.get(REPLACED));
  return (Array.isArray(kept) ? kept : []).flatMap((item) => {
    const work = isRecord(item) ? readWork(own(item, "work")) : undefined;
    const at = isRecord(item) ? own(item, "at") : undefined;
    return work === undefined ? [] : [{ work, at: typeof at === "number" ? at : 0 }];
  });
}

export async function keepReplaced(list: readonly Replaced[]): Promise<void> {
  await withStore("readwrite", (store) => store.put(list, REPLACED));
}
