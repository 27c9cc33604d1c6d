// A walk over all pages of a data file that its trees use, without LMDB. Finds missing pages and pages that contradict the trees, on which
// LMDB itself would end the process.

import { closeSync, openSync, readSync } from "node:fs";
import { type MetaPage, NO_PAGE } from "./meta-page.ts";

const HEADER = 24;
const NODE_HEAD = 8;
const P_BRANCH = 0x01;
const P_LEAF = 0x02;
const P_OVERFLOW = 0x04;
const F_BIGDATA = 0x01;
const F_SUBDATA = 0x02;
/** The root's place in a table's record. */
const TABLE_BYTES = 48;
const TABLE_ROOT = 40;

export interface PageWalk {
  /** Pages the trees use, the two meta pages included. */
  readonly used: number;
  /** The first problems. */
  readonly problems: readonly string[];
}

const MOST_PROBLEMS = 20;

/** Walks all pages, or the first `most`; values longer than a page are not read. */
export function walkPages(
  path: string,
  meta: MetaPage,
  fileBytes: number,
  most: number = Number.POSITIVE_INFINITY,
): PageWalk {
  const { pageSize } = meta;
  const pages = Math.floor(fileBytes / pageSize);
  const seen = new Uint8Array(Math.ceil((pages + 1) / 8));
  const problems: string[] = [];
  const page = Buffer.alloc(pageSize);
  const waiting: bigint[] = [meta.freeRoot, meta.mainRoot].filter((root) => root !== NO_PAGE);
  let used = 2;
  let walked = 0;

  const file = openSync(path, "r");
  try {
    while (waiting.length > 0 && problems.length < MOST_PROBLEMS && walked++ < most) {
      const number = waiting.pop()!;
      if (!claim(number, 1n)) continue;
      if (readSync(file, page, 0, pageSize, Number(number) * pageSize) < pageSize)
        problems.push(`page ${number} is cut off`);
      else readPage(number);
    }
  } finally {
    closeSync(file);
  }
  return { used, problems };

  /** Marks pages as used; false when one is missing or used twice. */
  function claim(first: bigint, count: bigint): boolean {
    if (first < 2n || first + count > BigInt(pages)) {
      problems.push(
        `page ${first}${count > 1n ? ` and ${count - 1n} more` : ""} lies outside the file of ${pages} pages`,
      );
      return false;
    }
    for (let i = Number(first); i < Number(first + count); i++) {
      const bit = 1 << (i & 7);
      if ((seen[i >> 3]! & bit) !== 0) {
        problems.push(`page ${i} is used twice`);
        return false;
      }
      seen[i >> 3]! |= bit;
    }
    used += Number(count);
    return true;
  }

  function readPage(number: bigint): void {
    const flags = page.readUInt16LE(18);
    const lower = page.readUInt16LE(20);
    const upper = page.readUInt16LE(22);
    if (page.readBigUInt64LE(0) !== number) problems.push(`page ${number} is labelled page ${page.readBigUInt64LE(0)}`);
    else if (flags !== P_BRANCH && flags !== P_LEAF) problems.push(`page ${number} is not a tree page`);
    else if (page.readBigUInt64LE(8) > meta.transaction)
      problems.push(`page ${number} is newer than the last transaction`);
    else if (lower > upper || upper + HEADER > pageSize) problems.push(`page ${number} has an impossible size`);
    else
      for (let i = 0; i < lower / 2; i++) {
        const offset = page.readUInt16LE(HEADER + 2 * i);
        if (offset < upper) problems.push(`page ${number} points into its free space`);
        else readNode(number, flags === P_BRANCH, offset + HEADER);
      }
  }

  function readNode(number: bigint, isBranch: boolean, at: number): void {
    if (at + NODE_HEAD > pageSize) {
      problems.push(`page ${number} points outside itself`);
      return;
    }
    const flags = page.readUInt16LE(at + 4);
    if (isBranch) {
      waiting.push(BigInt(page.readUInt32LE(at)) | (BigInt(flags) << 32n));
      return;
    }
    const data = at + NODE_HEAD + page.readUInt16LE(at + 6);
    const length = (flags & F_BIGDATA) !== 0 ? 24 : page.readUInt32LE(at);
    if (data + length > pageSize) {
      problems.push(`page ${number} has more entries than fit`);
    } else if ((flags & F_BIGDATA) !== 0) {
      readOverflow(number, page.readBigUInt64LE(data), page.readBigUInt64LE(data + 16));
    } else if ((flags & F_SUBDATA) !== 0 && length === TABLE_BYTES) {
      const root = page.readBigUInt64LE(data + TABLE_ROOT);
      if (root !== NO_PAGE) waiting.push(root);
    }
  }

  function readOverflow(from: bigint, first: bigint, count: bigint): void {
    if (!claim(first, count)) return;
    const head = Buffer.alloc(HEADER);
    readSync(file, head, 0, HEADER, Number(first) * pageSize);
    const isValue = head.readUInt16LE(18) === P_OVERFLOW && BigInt(head.readUInt32LE(20)) === count;
    if (head.readBigUInt64LE(0) !== first || !isValue || head.readBigUInt64LE(8) > meta.transaction) {
      problems.push(`page ${first}, referenced by page ${from}, has no value`);
    }
  }
}
