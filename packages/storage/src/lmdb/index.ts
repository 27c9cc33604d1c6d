// The embedded store, in a directory of files. Loads the lmdb package, which is native code.

export type { LmdbOptions } from "./lmdb-store.ts";
export { openLmdb } from "./lmdb-store.ts";
