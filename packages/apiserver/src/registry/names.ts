// Names and identities the server makes.

import { randomBytes, randomUUID } from "node:crypto";

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
    for (const byte of randomBytes(8)) {
      if (byte < usable && suffix.length < SUFFIX) suffix += ALPHABET[byte % ALPHABET.length];
    }
  }
  return suffix;
}

export function newUid(): string {
  return randomUUID();
}
