// The interface of stores, its errors, and helpers. The stores themselves are entry points of their
// own:
// @celadon/storage/memory, /lmdb and /etcd.

export type { Clock } from "./clock.ts";
export type { StoreErrorCode } from "./error.ts";
export { isStoreError, StoreError } from "./error.ts";
export { compareKeys } from "./key-order.ts";
export type { TransactionLimits } from "./operations.ts";
export { create, MAX_KEY_BYTES, MAX_OPERATIONS, MAX_TRANSACTION_BYTES, remove, update } from "./operations.ts";
export type {
  Change,
  Changes,
  Counted,
  Entry,
  Got,
  ListKeysOptions,
  Notice,
  Page,
  Revision,
  Store,
  StoreOperation,
  TransactionResult,
  Watch,
  WatchKeysOptions,
} from "./store.ts";
