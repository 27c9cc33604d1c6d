// Big-endian integers read from bytes, without making anything: these run for every key of every list.

export function readUint16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

export function readUint32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

export function readUint48(bytes: Uint8Array, at: number): number {
  return readUint16(bytes, at) * 0x1_0000_0000 + readUint32(bytes, at + 2);
}

export function readText(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.prototype.utf8Slice.call(bytes, start, end);
}
