// The last work of each mode, kept in the browser. If storage is not allowed, nothing is kept and nothing fails.

import { readWork, type Work } from "@celadon/language/playground";

const [DATABASE, STORE, KEY] = ["celadon-playground", "work", "last"];

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

/** The current one first. */
export async function keptWorks(): Promise<readonly Work[]> {
  const kept: unknown = await withStore("readonly", (store) => store.get(KEY));
  return (Array.isArray(kept) ? kept : [kept]).flatMap((item) => readWork(item) ?? []);
}

export async function keepWorks(works: readonly Work[]): Promise<void> {
  await withStore("readwrite", (store) => store.put(works, KEY));
}

export async function forgetWorks(): Promise<void> {
  await withStore("readwrite", (store) => store.delete(KEY));
}
