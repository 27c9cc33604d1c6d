// How keys, versions and pointers are written in LMDB: format 1. A change here needs another number in format.ts.
//
//   log    revision, order → a version: what a key was from that revision on, or that it was deleted
//   live   key             → a pointer to the key's last version, with what conditions and counts need
//
// A version points to the one before it, so the past of a key is a chain. Numbers are big-endian, revisions 6 bytes.

import { crc32 } from "node:zlib";
import type { Entry, Revision } from "../store.ts";

/** Where a version is in the log: its revision and its place in that transaction. */
export interface Place {
  readonly revision: Revision;
  readonly order: number;
}

export interface Pointer extends Place {
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
  readonly previous: Place | undefined;
}

export const NO_PLACE: Place = { revision: 0, order: 0 };

const VERSION_HEAD = 33;
const POINTER_BYTES = 27;

export function encodePlace({ revision, order }: Place): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeUIntBE(revision, 0, 6);
  bytes.writeUInt16BE(order, 6);
  return bytes;
}

export function decodePlace(bytes: Uint8Array): Place {
  const buffer = asBuffer(bytes);
  return { revision: buffer.readUIntBE(0, 6), order: buffer.readUInt16BE(6) };
}

export function encodeKey(key: string): Buffer {
  return Buffer.from(key, "utf8");
}

export function decodeKey(bytes: Uint8Array): string {
  return asBuffer(bytes).toString("utf8");
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
  const buffer = asBuffer(bytes);
  return {
    revision: buffer.readUIntBE(0, 6),
    order: buffer.readUInt16BE(6),
    live: buffer[8] === 1,
    createRevision: buffer.readUIntBE(9, 6),
    version: buffer.readUIntBE(15, 6),
    expires: buffer.readUIntBE(21, 6),
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
  const buffer = asBuffer(bytes);
  const revision = buffer.readUIntBE(17, 6);
  const keyEnd = VERSION_HEAD + buffer.readUInt16BE(31);
  return {
    key: buffer.toString("utf8", VERSION_HEAD, keyEnd),
    value: buffer[0] === 1 ? bytes.subarray(keyEnd) : undefined,
    createRevision: buffer.readUIntBE(5, 6),
    version: buffer.readUIntBE(11, 6),
    expires: buffer.readUIntBE(25, 6),
    previous: revision === 0 ? undefined : { revision, order: buffer.readUInt16BE(23) },
  };
}

/** False when the bytes are not what was written. */
export function isIntact(bytes: Uint8Array): boolean {
  if (bytes.byteLength < VERSION_HEAD) return false;
  const buffer = asBuffer(bytes);
  return buffer.readUInt32BE(1) === checksum(buffer) && VERSION_HEAD + buffer.readUInt16BE(31) <= bytes.byteLength;
}

/** What an entry needs of a version without decoding the rest; undefined for a deletion. */
export function entryOf(bytes: Uint8Array, revision: Revision, key?: string): Entry | undefined {
  if (bytes[0] !== 1) return undefined;
  const buffer = asBuffer(bytes);
  const keyEnd = VERSION_HEAD + buffer.readUInt16BE(31);
  return {
    key: key ?? buffer.toString("utf8", VERSION_HEAD, keyEnd),
    value: bytes.subarray(keyEnd),
    createRevision: buffer.readUIntBE(5, 6),
    modRevision: revision,
    version: buffer.readUIntBE(11, 6),
  };
}

export function previousOf(bytes: Uint8Array): Place | undefined {
  const buffer = asBuffer(bytes);
  const revision = buffer.readUIntBE(17, 6);
  return revision === 0 ? undefined : { revision, order: buffer.readUInt16BE(23) };
}

function checksum(bytes: Buffer): number {
  return crc32(bytes.subarray(5), bytes[0]);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
