// Names and identities the server makes.

import { randomFillSync, randomUUID } from "node:crypto";

/** Without vowels and what looks alike, so that no words come out. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX = 5;
const MAX_NAME = 63;

/** A generateName completed by five characters. */
export function generateName(base: string): string {
  return `${base.slice(0, MAX_NAME - SUFFIX)}${randomSuffix()}`;
}

function randomSuffix(): string {
  let suffix = "";
  // Bytes beyond the last whole multiple would favour the first letters.
  const usable = 256 - (256 % ALPHABET.length);
  while (suffix.length < SUFFIX) {
    const byte = randomByte();
    if (byte < usable) suffix += ALPHABET[byte % ALPHABET.length];
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
