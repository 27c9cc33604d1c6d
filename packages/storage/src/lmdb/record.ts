// The form of keys, versions and pointers in LMDB: format 1. A change here needs another number in format.ts.
//
//   log    revision, order → a version: what a key was from that revision on, or that it was deleted
//   live   key             → a pointer to the key's last version, with what conditions and counts need
//
// A version points to the one before it, so the past of a key is a chain. Numbers are big-endian, revisions 6 bytes.

import { crc32 } from "node:zlib";
import type { Entry, Revision } from "../store.ts";
import { readText, readUint16, readUint32, readUint48 } from "./integers.ts";

/** The place of a version in the log: its revision and its place in that transaction. */
export interface VersionPlace {
  readonly revision: Revision;
  readonly order: number;
}

export interface Pointer extends VersionPlace {
  readonly live: boolean;
  readonly createRevision: Revision;
  readonly version: number;
  /** The second since 1970 the key expires at; 0 when it does not. */
  readonly expires: number;
}

export interface Version {
  readonly key: string;
  /** Undefined when the key was deleted. */
  readonly value: Uint8Array | undefined;
  readonly createRevision: Revision;
  readonly version: number;
  readonly expires: number;
  readonly previous: VersionPlace | undefined;
}

const VERSION_HEAD = 33;
const POINTER_BYTES = 27;

export function encodePlace({ revision, order }: VersionPlace): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeUIntBE(revision, 0, 6);
  bytes.writeUInt16BE(order, 6);
  return bytes;
}

export function decodePlace(bytes: Uint8Array): VersionPlace {
  return { revision: readUint48(bytes, 0), order: readUint16(bytes, 6) };
}

export function encodeKey(key: string): Buffer {
  return Buffer.from(key, "utf8");
}

export function decodeKey(bytes: Uint8Array): string {
  return readText(bytes, 0, bytes.length);
}

export function encodePointer(pointer: Pointer): Buffer {
  const bytes = Buffer.allocUnsafe(POINTER_BYTES);
  bytes.writeUIntBE(pointer.revision, 0, 6);
  bytes.writeUInt16BE(pointer.order, 6);
  bytes[8] = pointer.live ? 1 : 0;
  bytes.writeUIntBE(pointer.createRevision, 9, 6);
  bytes.writeUIntBE(pointer.version, 15, 6);
  bytes.writeUIntBE(pointer.expires, 21, 6);
  return bytes;
}

export function decodePointer(bytes: Uint8Array): Pointer {
  return {
    revision: readUint48(bytes, 0),
    order: readUint16(bytes, 6),
    live: bytes[8] === 1,
    createRevision: readUint48(bytes, 9),
    version: readUint48(bytes, 15),
    expires: readUint48(bytes, 21),
  };
}

export function encodeVersion(version: Version, key: Uint8Array): Buffer {
  const { value } = version;
  const bytes = Buffer.allocUnsafe(VERSION_HEAD + key.byteLength + (value?.byteLength ?? 0));
  bytes[0] = value === undefined ? 0 : 1;
  bytes.writeUIntBE(version.createRevision, 5, 6);
  bytes.writeUIntBE(version.version, 11, 6);
  bytes.writeUIntBE(version.previous?.revision ?? 0, 17, 6);
  bytes.writeUInt16BE(version.previous?.order ?? 0, 23);
  bytes.writeUIntBE(version.expires, 25, 6);
  bytes.writeUInt16BE(key.byteLength, 31);
  bytes.set(key, VERSION_HEAD);
  if (value !== undefined) bytes.set(value, VERSION_HEAD + key.byteLength);
  bytes.writeUInt32BE(checksum(bytes), 1);
  return bytes;
}

/** The value is a view of `bytes`. */
export function decodeVersion(bytes: Uint8Array): Version {
  const keyEnd = keyEndOf(bytes);
  return {
    key: keyOf(bytes),
    value: bytes[0] === 1 ? bytes.subarray(keyEnd) : undefined,
    createRevision: readUint48(bytes, 5),
    version: readUint48(bytes, 11),
    expires: readUint48(bytes, 25),
    previous: previousOf(bytes),
  };
}

/** False if the bytes differ from the written ones. */
export function isIntact(bytes: Uint8Array): boolean {
  if (bytes.length < VERSION_HEAD || keyEndOf(bytes) > bytes.length) return false;
  return readUint32(bytes, 1) === checksum(bytes);
}

/**
 * The entry of a version; undefined for a deletion. `bytes` may be a buffer that LMDB uses again, longer than its `length`: the value is
 * copied, once.
 */
export function entryOf(bytes: Uint8Array, revision: Revision, key?: string): Entry | undefined {
  if (bytes[0] !== 1) return undefined;
  const keyEnd = keyEndOf(bytes);
  return {
    key: key ?? readText(bytes, VERSION_HEAD, keyEnd),
    value: copyOf(bytes, keyEnd),
    createRevision: readUint48(bytes, 5),
    modRevision: revision,
    version: readUint48(bytes, 11),
  };
}

export function keyOf(bytes: Uint8Array): string {
  return readText(bytes, VERSION_HEAD, keyEndOf(bytes));
}

/** True when the version's key starts with these bytes. */
export function keyStartsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  if (prefix.length > readUint16(bytes, 31)) return false;
  for (let i = 0; i < prefix.length; i++) if (bytes[VERSION_HEAD + i] !== prefix[i]) return false;
  return true;
}

export function previousOf(bytes: Uint8Array): VersionPlace | undefined {
  const revision = readUint48(bytes, 17);
  return revision === 0 ? undefined : { revision, order: readUint16(bytes, 23) };
}

function keyEndOf(bytes: Uint8Array): number {
  return VERSION_HEAD + readUint16(bytes, 31);
}

function checksum(bytes: Uint8Array): number {
  return crc32(bytes.subarray(5, bytes.length), bytes[0]);
}

function copyOf(bytes: Uint8Array, start: number): Buffer {
  const copy = Buffer.allocUnsafe(bytes.length - start);
  Buffer.prototype.copy.call(bytes, copy, 0, start, bytes.length);
  return copy;
}
