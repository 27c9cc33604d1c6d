// Bytes are Uint8Arrays, never changed once they are values.

import { grow } from "./work.ts";

export function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  grow(a.length + b.length);
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
