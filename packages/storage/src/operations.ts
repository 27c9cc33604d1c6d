// The limits of a transaction.

import { StoreError } from "./error.ts";
import type { Revision, Store, StoreOperation, TransactionResult } from "./store.ts";

/** LMDB's keys end at 1,978 bytes; Kubernetes' longest are some 600. */
export const MAX_KEY_BYTES = 1_500;
/** etcd's default limits of a transaction: operations, and bytes of a request. */
export const MAX_OPERATIONS = 128;
/** The size of the largest transaction, as etcd has it. */
export const MAX_TRANSACTION_BYTES = 1_572_864;

/** The greatest size of a transaction. */
export interface TransactionLimits {
  readonly maxOperations: number;
  readonly maxTransactionBytes: number;
}

/** Limits as etcd has them. */
export const defaultLimits: TransactionLimits = {
  maxOperations: MAX_OPERATIONS,
  maxTransactionBytes: MAX_TRANSACTION_BYTES,
};

export function checkOperations(
  operations: readonly StoreOperation[],
  limits: TransactionLimits = defaultLimits,
): void {
  if (operations.length === 0) throw new StoreError("invalid", "a transaction needs an operation");
  if (operations.length > limits.maxOperations) {
    throw new StoreError("too_large", `${operations.length} operations exceed the limit of ${limits.maxOperations}`);
  }
  let bytes = 0;
  for (const operation of operations) {
    bytes += checkKey(operation.key);
    if (operation.ifRevision !== undefined) checkRevision(operation.ifRevision);
    if (operation.op !== "put") continue;
    bytes += operation.value.byteLength;
    if (operation.ttl !== undefined && !(operation.ttl > 0 && Number.isFinite(operation.ttl))) {
      throw new StoreError("invalid", `a TTL of ${operation.ttl} seconds is not positive`);
    }
  }
  if (bytes > limits.maxTransactionBytes) {
    throw new StoreError("too_large", `${bytes} bytes exceed the transaction limit of ${limits.maxTransactionBytes}`);
  }
  if (operations.length > 1 && new Set(operations.map((operation) => operation.key)).size < operations.length) {
    throw new StoreError("invalid", "a transaction names a key twice");
  }
}

/** The key's length in UTF-8. */
export function checkKey(key: string): number {
  if (!key.startsWith("/"))
    throw new StoreError("invalid", `the key ${JSON.stringify(key)} does not start with a slash`);
  const bytes = utf8Length(key);
  if (bytes < 0) throw new StoreError("invalid", `the key ${JSON.stringify(key)} is not valid Unicode`);
  if (bytes > MAX_KEY_BYTES) throw new StoreError("too_large", `a key of ${bytes} bytes exceeds ${MAX_KEY_BYTES}`);
  return bytes;
}

/** A prefix is a key, or empty for all keys. */
export function checkPrefix(prefix: string): void {
  if (prefix !== "") checkKey(prefix);
}

export function checkRevision(revision: Revision, least: Revision = 0): void {
  if (!Number.isSafeInteger(revision) || revision < least) {
    throw new StoreError("invalid", `${revision} is not a revision`);
  }
}

/** -1 when a surrogate stands alone. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 2;
    else {
      const next = text.charCodeAt(++i);
      if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return -1;
      bytes += 2;
    }
  }
  return bytes;
}

/** Writes a key that must be absent. */
export function create(store: Store, key: string, value: Uint8Array, ttl?: number): Promise<TransactionResult> {
  return store.write([{ op: "put", key, value, ifRevision: 0, ...(ttl === undefined ? {} : { ttl }) }]);
}

/** Writes a key that must still be at `ifRevision`. */
export function update(store: Store, key: string, value: Uint8Array, ifRevision: Revision): Promise<TransactionResult> {
  return store.write([{ op: "put", key, value, ifRevision }]);
}

/** Deletes a key that must still be at `ifRevision`. */
export function remove(store: Store, key: string, ifRevision: Revision): Promise<TransactionResult> {
  return store.write([{ op: "delete", key, ifRevision }]);
}
