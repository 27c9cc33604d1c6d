// Reads a zip file, for tests.

import { inflateRawSync } from "node:zlib";
import { expect } from "vitest";
import { crc32 } from "./zip.ts";

/** Reads a zip by its directory, as programs do. */
export function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  const found = new Map<string, string>();
  for (let i = 0; i < count; i++) {
    expect(bytes.toString("latin1", at, at + 4)).toBe("PK\x01\x02");
    const [packed, nameLength, local] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ];
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const contents = inflateRawSync(bytes.subarray(start, start + packed));
    expect(bytes.readUInt32LE(at + 16)).toBe(crc32(contents));
    expect(bytes.readUInt32LE(at + 24)).toBe(contents.length);
    found.set(name, contents.toString("utf8"));
    at += 46 + nameLength;
  }
  return found;
}
