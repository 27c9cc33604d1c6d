// Keeps the data file longer than LMDB has used it. A commit that makes the file longer also changes the file system's own tables, and flushing
// those takes more time than flushing the data: a single writer waits two to three times as long. Existing pages cost nothing of
// the kind. Zeros may only be written while no commit is under way, behind the last page in use.

import { closeSync, fstatSync, openSync, write } from "node:fs";
import { promisify } from "node:util";
import { dataFile, type Environment } from "./environment.ts";

/** The growth of the file at once: half of its used size, within these. */
const LEAST_STEP = 1024 * 1024;
const MOST_STEP = 16 * 1024 * 1024;
/** The greatest space of a commit beside its data: the pages of five trees down to their leaves. */
const COMMIT_BYTES = 64 * 1024;
/** Larger groups flush so much that the tables matter little, and writing twice costs more. */
const LARGE_GROUP = 128 * 1024;
/** The disk must have this many steps to spare. */
const SPARE_STEPS = 32;

export class Reserve {
  readonly #directory: string;
  #environment: Environment | undefined;
  /** Bytes that commits may take until the file is checked again. */
  #left = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Makes room for a group of so many bytes. If the reserve fails, LMDB extends the file itself. */
  async prepare(environment: Environment, bytes: number, spare: number): Promise<void> {
    if (environment !== this.#environment) {
      this.#environment = environment;
      this.#left = 0;
    }
    const needed = bytes * 2 + COMMIT_BYTES;
    this.#left -= needed;
    // Looked at again before the next small group.
    if (bytes > LARGE_GROUP) this.#left = Math.min(this.#left, 0);
    if (this.#left >= 0 || bytes > LARGE_GROUP) return;
    try {
      this.#left = (await this.#extend(environment, needed, spare)) - needed;
    } catch {
      this.#left = LEAST_STEP;
    }
  }

  /** Bytes of the file behind the used ones, after it was extended if they were few. */
  async #extend({ root }: Environment, needed: number, spare: number): Promise<number> {
    const { lastPageNumber, pageSize } = root.getStats() as { lastPageNumber: number; pageSize: number };
    const used = (lastPageNumber + 1) * pageSize;
    const file = openSync(dataFile(this.#directory), "r+");
    try {
      const { size } = fstatSync(file);
      const step = Math.min(MOST_STEP, Math.max(LEAST_STEP, used / 2)) + needed;
      if (size - used >= needed || spare < step * SPARE_STEPS) return Math.max(LEAST_STEP, size - used);
      const end = Math.ceil((used + step) / pageSize) * pageSize;
      await writeZeros(file, Math.max(size, used), end);
      return end - used;
    } finally {
      closeSync(file);
    }
  }
}

const writeAt = promisify(write);

async function writeZeros(file: number, from: number, to: number): Promise<void> {
  const zeros = Buffer.alloc(Math.min(LEAST_STEP, to - from));
  for (let at = from; at < to; ) {
    const { bytesWritten } = await writeAt(file, zeros, 0, Math.min(zeros.length, to - at), at);
    at += bytesWritten;
  }
}
