// Names and identities the server makes.

import { randomFillSync, randomUUID } from "node:crypto";
import { NAME_ALPHABET, NAME_SUFFIX } from "@celadon/write";

/** Random characters that complete a generated name. */
export function nameSuffix(): string {
  let suffix = "";
  // Bytes beyond the last whole multiple would favour the first letters.
  const usable = 256 - (256 % NAME_ALPHABET.length);
  while (suffix.length < NAME_SUFFIX) {
    const byte = randomByte();
    if (byte < usable) suffix += NAME_ALPHABET[byte % NAME_ALPHABET.length];
  }
  return suffix;
}

/** Asked for many at a time: asking costs more than the bytes. */
const pool = new Uint8Array(1024);
let used = pool.length;

function randomByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool[used++]!;
}

export function newUid(): string {
  return randomUUID();
}
