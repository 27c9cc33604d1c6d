// The table of what expires when: the second, then the key. Its first record is the next to expire.

import type { Transaction } from "lmdb";
import type { Environment } from "./environment.ts";
import { readText, readUint48 } from "./integers.ts";

export function encodeDue(second: number, key: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(6 + key.byteLength);
  bytes.writeUIntBE(second, 0, 6);
  bytes.set(key, 6);
  return bytes;
}

export interface Due {
  readonly second: number;
  readonly key: string;
}

export function decodeDue(bytes: Uint8Array): Due {
  return { second: readUint48(bytes, 0), key: readText(bytes, 6, bytes.length) };
}

/** The next keys to expire, earliest first. */
export function nextDue({ tables }: Environment, limit: number, transaction?: Transaction): Due[] {
  const keys = tables.expiry.getKeys({ limit, ...(transaction === undefined ? {} : { transaction }) });
  return Array.from(keys, (key) => decodeDue(key));
}
