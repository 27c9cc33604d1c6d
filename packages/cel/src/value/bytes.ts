// Bytes are Uint8Arrays, never changed once they are values.

import { grow } from "./size/work.ts";

/** The memory of an array of bytes beyond the bytes themselves, in bytes. */
export const BYTES_GROWTH = 64;

export function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  grow(BYTES_GROWTH + a.length + b.length);
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
