// The embedded store, in a directory of files. Loads the lmdb package, which is native code.

export type { BackupReport } from "./backup.ts";
export { backupLmdb } from "./backup.ts";
export type { CheckReport } from "./check.ts";
export { checkLmdb } from "./check.ts";
export type { LmdbOptions } from "./lmdb-store.ts";
export { openLmdb } from "./lmdb-store.ts";
export type { RestoreOptions } from "./restore.ts";
export { restoreLmdb } from "./restore.ts";
