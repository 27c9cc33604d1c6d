// The number of live keys of each directory. A directory is "" or what ends in a slash.

import { readUint48 } from "./integers.ts";

/** The directories a key counts in. */
export function directoriesOf(key: string): string[] {
  const directories = [""];
  for (let slash = key.indexOf("/"); slash >= 0; slash = key.indexOf("/", slash + 1)) {
    directories.push(key.slice(0, slash + 1));
  }
  return directories;
}

export function isDirectory(prefix: string): boolean {
  return prefix === "" || prefix.endsWith("/");
}

/** LMDB has no empty keys, so one byte stands before the directory. */
export function encodeDirectory(directory: string): Buffer {
  return Buffer.from(`:${directory}`, "utf8");
}

export function decodeDirectory(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8").slice(1);
}

export function encodeCount(count: number): Buffer {
  const bytes = Buffer.allocUnsafe(6);
  bytes.writeUIntBE(count, 0, 6);
  return bytes;
}

export function decodeCount(bytes: Uint8Array | undefined): number {
  return bytes === undefined ? 0 : readUint48(bytes, 0);
}
