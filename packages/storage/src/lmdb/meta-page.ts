// The head of LMDB's data file, read without LMDB: it maps the file into memory and dies of a signal when pages are missing.
// Layout: page header of 24 bytes, then magic, version, address, map size, two tables of 48 bytes, last page, transaction.

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { MAP_SIZE } from "./environment.ts";

const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
const HEADER = 24;
const META_BYTES = 144;
const P_META = 0x08;
/** The root of a tree without pages. */
export const NO_PAGE: bigint = 0xffff_ffff_ffff_ffffn;

export interface MetaPage {
  readonly pageSize: number;
  readonly lastPage: bigint;
  readonly transaction: bigint;
  readonly freeRoot: bigint;
  readonly mainRoot: bigint;
}

/** The kind of a file: nothing yet, a data file, of another version of LMDB, or something else. */
export type DataFile =
  | { readonly kind: "empty" }
  | { readonly kind: "data"; readonly meta: MetaPage; readonly bytes: number; readonly isShort: boolean }
  | { readonly kind: "version" }
  | { readonly kind: "foreign" };

export function readDataFile(path: string): DataFile {
  let file: number;
  try {
    // A pipe would wait for a writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { kind: "empty" };
    throw error;
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile()) return { kind: "foreign" };
    const bytes = found.size;
    if (bytes === 0) return { kind: "empty" };
    const first = readMeta(file, 0);
    if (typeof first === "string") return { kind: first };
    const second = readMeta(file, first.pageSize);
    if (typeof second === "string") return { kind: second };
    const meta = second.transaction > first.transaction ? second : first;
    return { kind: "data", meta, bytes, isShort: bytes < Number(meta.lastPage + 1n) * meta.pageSize };
  } finally {
    closeSync(file);
  }
}

function readMeta(file: number, offset: number): MetaPage | "version" | "foreign" {
  const page = Buffer.alloc(HEADER + META_BYTES);
  if (readSync(file, page, 0, page.length, offset) < page.length) return "foreign";
  const isMeta = page.readUInt16LE(18) === P_META && page.readUInt32LE(HEADER) === MAGIC;
  // LMDB 0.9 has page headers of 16 bytes.
  if (!isMeta) return page.readUInt32LE(16) === MAGIC ? "version" : "foreign";
  if ((page.readUInt32LE(HEADER + 4) & 0xffff) !== DATA_VERSION) return "version";
  const pageSize = page.readUInt32LE(HEADER + 24);
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return "foreign";
  const lastPage = page.readBigUInt64LE(HEADER + 120);
  if (lastPage < 1n || lastPage >= BigInt(MAP_SIZE / pageSize)) return "foreign";
  return {
    pageSize,
    freeRoot: page.readBigUInt64LE(HEADER + 64),
    mainRoot: page.readBigUInt64LE(HEADER + 112),
    lastPage,
    transaction: page.readBigUInt64LE(HEADER + 128),
  };
}
